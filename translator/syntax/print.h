/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree as script text, for -p1 and golden tests: normalised spelling, fully parenthesised. */
#ifndef TAPC_SYNTAX_PRINT_H
#define TAPC_SYNTAX_PRINT_H

#include "ast.h"
#include "base/text.h"

/* Print a tree as script text, for -p1 and golden tests: normalised spelling, fully parenthesised. */
void print_script(struct text *out, const struct script *s);
void print_expr(struct text *out, const struct expr *e);
void print_stmt(struct text *out, const struct stmt *s, unsigned indent);

/* The text of a point in the script language: kernel.function("vfs_*").return?. */
const char *point_text(struct arena *a, const struct point *p);

#endif
