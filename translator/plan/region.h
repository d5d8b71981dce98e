/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a handler in which it holds its locks: from the first statement that needs them to the last, as deep
 * inside blocks and branches as possible. */
#ifndef TAPC_PLAN_REGION_H
#define TAPC_PLAN_REGION_H

#include "plan.h"

bool plan_stmt_needs_lock(const struct plan *p, struct stmt *s);
/* Can the regions of S, which needs locks, be inside S? True for a block, and for an 'if' whose condition needs no
 * locks. */
bool plan_region_goes_down(const struct plan *p, struct stmt *s);
/* The statements of BLOCK that need locks: *FIRST to *LAST. False: none of them does. */
bool plan_region_of_block(const struct plan *p, struct stmt *block, size_t *first, size_t *last);

#endif
