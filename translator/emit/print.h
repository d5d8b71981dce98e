/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family to C. */
#ifndef TAPC_EMIT_PRINT_H
#define TAPC_EMIT_PRINT_H

#include "emit.h"

/* print(), printf() and so on write a record; sprint(), sprintf() return a string. */
const char *emit_print(struct emitter *em, struct expr *e);
/* The string of sprint() or sprintf() in pieces, C expressions, for emit_join. LATER: a following expression may
 * change a variable. */
void emit_print_pieces(struct emitter *em, struct expr *e, bool later, name_list *pieces);

/* Shared with emit_expr: the concatenation of PIECES, named WHAT in errors; a pointer to the merged aggregate of a
 * STAT or HIST; %{ %} as a value. */
const char *emit_join(struct emitter *em, const name_list *pieces, const char *what, struct span at);
const char *emit_stat_pointer(struct emitter *em, struct expr *e);
const char *emit_embedded_expr(struct emitter *em, struct expr *e);

#endif
