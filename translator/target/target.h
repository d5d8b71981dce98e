/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables: what $x->y means at a handler's sites, as an access that emit can write. */
#ifndef TAPC_TARGET_H
#define TAPC_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct debug_type;
struct expr;
struct handler;
struct site;
struct stmt;
struct translation;

/* Where an expression stands. HANDLER: NULL in a function. ENTRY: what it gives when the function is
 * entered is wanted, though the probe is at its return. */
struct target_scope {
	struct handler *handler;
	const struct site *site;	/* NULL: the handler's first one: all are alike */
	bool entry;
};

/* Resolve E (EXPR_TARGET). Without an answer there is no message yet, for the value may turn out not to
 * be needed: E keeps no access, and target_complain tells why. */
bool target_resolve(struct translation *t, const struct target_scope *at, struct expr *e);
void target_complain(struct translation *t, const struct target_scope *at, struct expr *e);
/* The like for p->member, when the pointer's type is known; reports what is wrong. */
bool target_resolve_arrow(struct translation *t, const struct target_scope *at, struct expr *e);
/* What E, p->member with a known pointer, points to; NULL: nothing, or it cannot be resolved. */
const struct debug_type *target_arrow_pointee(struct translation *t, const struct target_scope *at, const struct expr *e);
/* @sizeof, @enum and so on: E becomes what it stands for. Reports what is wrong. */
bool target_resolve_type_op(struct translation *t, const struct target_scope *at, struct expr *e);
/* What tells the meaning of E at a site from that at another one; "" when it has none. */
const char *target_signature(struct translation *t, const struct target_scope *at, struct expr *e);
/* May it be assigned to? Reports why not. One that is not yet resolved may. */
bool target_is_writable(struct translation *t, const struct expr *e);
/* @defined(E), of E itself and not of its parts: could it be resolved? For p->member that takes p's pointee. */
bool target_is_defined(struct translation *t, const struct target_scope *at, const struct expr *e);
/* Is E the function's value ($return, $$return), which is known at its return only? */
bool target_is_result(const struct expr *e);
/* Is the handler at a function's return? */
bool target_at_return(const struct handler *h);

#endif
