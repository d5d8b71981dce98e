/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables: the meaning of $x->y at a handler's sites, as an access that emit can write. */
#ifndef TAPC_TARGET_H
#define TAPC_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct debug_type;
struct expr;
struct handler;
struct images;
struct options;
struct site;
struct stmt;

/* The context of an expression. HANDLER: NULL in a function. ENTRY: the value at function entry is
 * meant, although the probe is at its return. */
struct target_scope {
	struct images *images;
	const struct options *options;
	struct handler *handler;
	const struct site *site;	/* NULL: the handler's first site; all are alike */
	bool entry;
};

/* Resolve E (EXPR_TARGET). A failure prints no message, because the value may turn out not to be
 * needed: E keeps no access, and target_complain reports the reason. */
bool target_resolve(const struct target_scope *at, struct expr *e);
void target_complain(const struct target_scope *at, struct expr *e);
/* The same for p->member, if the type of the pointer is known; reports errors. */
bool target_resolve_arrow(const struct target_scope *at, struct expr *e);
/* The type that E, p->member with a known pointer, points to; NULL: E is not a pointer, or cannot be resolved. */
const struct debug_type *target_arrow_pointee(const struct target_scope *at,
					      const struct expr *e);
/* The type of E (EXPR_TARGET or EXPR_ARROW), also if it is not a value but a structure; of @cast(p, "type"), that type.
 * NULL: not known. */
const struct debug_type *target_type_of(const struct target_scope *at, const struct expr *e);
/* A string that differs if E means something else at another site; "" if E has no meaning. */
const char *target_signature(const struct target_scope *at, struct expr *e);
/* May E be assigned to? Reports why not. True if E is not yet resolved. */
bool target_is_writable(const struct expr *e, bool is_guru);
/* @defined(E), for E itself and not for its parts: can it be resolved? For p->member this needs the
 * type that p points to. */
bool target_is_defined(const struct target_scope *at, const struct expr *e);
/* Is E the function's result, which is known at its return only: $return, $$return, or the name of a result in Go? */
bool target_is_result(const struct target_scope *at, const struct expr *e);
/* Is the handler at a function's return? */
bool target_at_return(const struct handler *h);

#endif
