/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a handler in which it holds its locks: from the first statement that needs them to the last. They begin
 * and end as deep inside blocks and branches as possible. */
#ifndef TAPC_PLAN_REGION_H
#define TAPC_PLAN_REGION_H

#include "plan.h"

struct regions {
	struct effects effects;
	uint64_t most;			/* statements in the longest one */
};

/* All regions of a handler's BODY, if LIMIT statements may be charged to MAXACTION. */
struct regions plan_regions(const struct plan *p, struct stmt *body, int64_t limit);
bool plan_stmt_needs_lock(const struct plan *p, struct stmt *s);
/* Can the regions of S, which needs locks, be inside S? True for a block, and for an 'if' whose condition needs no
 * locks. */
bool plan_region_goes_down(const struct plan *p, struct stmt *s);
/* The statements of BLOCK that need locks: *FIRST to *LAST. False: none of them does. */
bool plan_region_of_block(const struct plan *p, struct stmt *block, size_t *first, size_t *last);
/* Does a region whose last statement is S end inside S, in a branch or before the last statement of a block? */
bool plan_region_ends_inside(const struct plan *p, struct stmt *s);

#endif
