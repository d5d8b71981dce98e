/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lays out a script: indentation, spaces, braces and blank lines, as in the scripts of examples/. */
#ifndef TAPC_FORMAT_H
#define TAPC_FORMAT_H

#include <stdbool.h>

#include "base/text.h"

struct source;

/* Lines longer than this are broken where possible; a tab has eight columns. */
enum { FORMAT_COLUMNS = 120 };

/* Appends the formatted text of S. It has the same tokens and comments in the same order, and formatting it again
 * does not change it. S must be a text that the lexer accepts: returns false after a message if it is not. Macros,
 * conditions and embedded C remain as they are written. */
bool format_source(const struct source *s, struct text *out);

#endif
