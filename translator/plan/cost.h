/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many statements a body may run: what the generated code charges to MAXACTION, and a bound that is known before
 * the run.
 *
 * Each round of a loop is charged, and so is each call of a function that is recursive or long (CHARGED_FROM). What
 * stands in a line and calls only short functions is not: the script's length bounds it. So a hit runs at most its
 * plain statements and those that MAXACTION allows, whatever loops and calls do. */
#ifndef TAPC_PLAN_COST_H
#define TAPC_PLAN_COST_H

#include "plan.h"

#define COST_ENDLESS UINT64_MAX

struct cost {
	uint64_t plain;			/* statements that are not charged */
	uint64_t charged;		/* and those that are; COST_ENDLESS: only MAXACTION ends them */
	uint64_t late;			/* of these, what may have run when MAXACTION is found to be exceeded */
	struct span endless;		/* the first loop or recursion that only MAXACTION ends */
	bool is_recursion;		/* that is a recursive function */
	unsigned cycle_calls;		/* calls within the recursion that is being measured */
};

/* Needs p->cycles. What follows needs the limits, too. */
void plan_costs(struct plan *p);
struct cost cost_of_stmt(const struct plan *p, struct stmt *s);
struct cost cost_of_expr(const struct plan *p, struct expr *e);
/* A range of a block's statements. */
struct cost cost_of_range(const struct plan *p, struct stmt *block, size_t from, size_t to);
/* FROM comes behind TO. */
void cost_add(struct cost *to, const struct cost *from);
/* Statements in all that a hit may run when LIMIT of them may be charged. */
uint64_t cost_worst(const struct cost *c, int64_t limit);

/* What one round of the loop S is charged. */
unsigned cost_of_round(const struct plan *p, struct stmt *s);
/* What one call of F is charged; 0: whoever calls it is. */
unsigned cost_of_call(const struct plan *p, const struct function *f);

#endif
