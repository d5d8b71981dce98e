/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What functions and handlers do, with all that they call: which globals they read, write and step, whether they print,
 * loop, read registers or the program's memory. */
#ifndef TAPC_PLAN_EFFECTS_H
#define TAPC_PLAN_EFFECTS_H

#include "plan.h"

/* The effects of a statement or expression and its callees. */
struct effects plan_effects(const struct plan *p, struct stmt *s);
void plan_expr_effects(const struct plan *p, struct expr *e, struct effects *out);
struct effects effects_none(const struct plan *p);
void effects_add(const struct plan *p, struct effects *to, const struct effects *from);
/* Adds those of functions that read a probe's values. */
void effects_add_accessors(const struct plan *p, struct effects *out, const function_list *accessors);
/* Whether F is C that may print: that of a script, and of tapsets if it is neither pure nor silent. */
bool effects_c_prints(const struct function *f);
/* Sets p->function_effects. */
void plan_function_effects(struct plan *p);
/* Sets p->cycles, and that functions which call themselves loop. */
void plan_recursion(struct plan *p);

#endif
