/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many statements a body can run: the number that the generated code charges to MAXACTION, and an upper bound that
 * is known before the run.
 *
 * Each round of a loop is charged, and so is each call of a function that is recursive or long (CHARGED_FROM).
 * Straight-line code that calls only short functions is not charged: the length of the script limits it. So a hit runs
 * at most its plain statements and those that MAXACTION allows, regardless of loops and calls. */
#ifndef TAPC_PLAN_COST_H
#define TAPC_PLAN_COST_H

#include "plan.h"

#define COST_ENDLESS UINT64_MAX

struct cost {
	uint64_t plain;			/* statements that are not charged */
	uint64_t charged;		/* statements that are charged; COST_ENDLESS: only MAXACTION ends them */
	uint64_t late;			/* charged statements beyond MAXACTION that can run before it is checked */
	struct span endless;		/* the first loop or recursion that only MAXACTION ends */
	bool is_recursion;		/* endless is a recursive function */
	unsigned cycle_calls;		/* calls within the recursion being measured */
};

/* Needs p->cycles. The functions below also need the limits. */
void plan_costs(struct plan *p);
struct cost cost_of_stmt(const struct plan *p, struct stmt *s);
struct cost cost_of_expr(const struct plan *p, struct expr *e);
/* The cost of a range of a block's statements. */
struct cost cost_of_range(const struct plan *p, struct stmt *block, size_t from, size_t to);
/* Adds the cost FROM, of code that follows the code of TO. */
void cost_add(struct cost *to, const struct cost *from);
/* The largest number of statements that a hit can run if LIMIT of them may be charged. */
uint64_t cost_worst(const struct cost *c, int64_t limit);

/* The charge for one round of the loop S. */
unsigned cost_of_round(const struct plan *p, struct stmt *s);
/* The charge for one call of F; 0: its statements count as the caller's. */
unsigned cost_of_call(const struct plan *p, const struct function *f);

#endif
