/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tree: lexer, preprocessor and parser in one call. */
#ifndef TAPC_PARSE_H
#define TAPC_PARSE_H

#include "ast.h"

struct macros;

/* Parses a whole source. The arguments of the script ($1 @1 $# @#) come from the options of M. Errors are
 * counted in the diag of S; the tree contains everything that could be parsed. Sources with is_library set may use
 * %{ %}, guru syntax and macros without -g. */
struct script *parse_script(struct source *s, struct macros *m);

#endif
