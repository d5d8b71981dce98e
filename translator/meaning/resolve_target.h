/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to resolve: names that depend on the probed code. */
#ifndef TAPC_RESOLVE_TARGET_H
#define TAPC_RESOLVE_TARGET_H

#include "resolver.h"
#include "target/target.h"

/* Where the current expression is, for target.h. */
struct target_scope resolve_scope(const struct resolver *r);
void resolve_components(struct resolver *r, component_list *components);
/* Returns false after an error message if E, in the condition of a probe, needs a hit: conditions are not evaluated at
 * hits. */
bool resolve_may_ask(const struct resolver *r, struct expr *e);
void resolve_target(struct resolver *r, struct expr **ep);
/* Is E a target variable that, at a return, has its value of the entry? */
bool resolve_is_of_entry(const struct resolver *r, const struct expr *e);
void resolve_defined(struct resolver *r, struct expr *e);
/* The operand is evaluated at the function's entry and saved. */
void resolve_entry(struct resolver *r, struct expr **ep, struct expr *operand);
/* @defined(@entry(x)): nothing is saved. */
void resolve_asked_entry(struct resolver *r, struct expr **ep);
void resolve_probewrite(struct resolver *r, struct expr *e);

#endif
