/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables: what $x->y means at a handler's sites, as an access that emit can write. */
#ifndef TAPC_TARGET_H
#define TAPC_TARGET_H

#include <stdbool.h>

struct expr;
struct handler;
struct translation;

/* Resolve E (EXPR_TARGET) for all of HANDLER's sites; HANDLER is NULL in a function. Reports why not. */
bool target_resolve(struct translation *t, struct handler *h, struct expr *e);
/* The like for e->member. */
bool target_resolve_arrow(struct translation *t, struct expr *e);
/* @defined(E): could it be resolved? No message. */
bool target_is_defined(struct translation *t, struct handler *h, const struct expr *e);

#endif
