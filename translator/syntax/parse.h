/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tree: lexer, preprocessor and parser in one call. */
#ifndef TAPC_PARSE_H
#define TAPC_PARSE_H

#include "ast.h"

struct translation;
struct macros;

/* Parses a whole source. The arguments of the script ($1 @1 $# @#) come from the options. Errors are counted
 * in the translation; the tree contains everything that could be parsed. Sources with is_library set may use
 * %{ %}, guru syntax and macros without -g. */
struct script *parse_script(struct translation *t, struct source *s, struct macros *m);

#endif
