/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family to C. */
#ifndef TAPC_EMIT_PRINT_H
#define TAPC_EMIT_PRINT_H

#include "emitter.h"

/* print(), printf() and so on write a record; sprint(), sprintf() return a string. */
const char *emit_print(struct emitter *em, struct expr *e);
/* The string of sprint() or sprintf() in pieces, C expressions, for emit_join. LATER: a following expression may
 * change a variable. */
void emit_print_pieces(struct emitter *em, struct expr *e, bool later, name_list *pieces);

#endif
