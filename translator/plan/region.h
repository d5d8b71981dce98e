/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a handler holds its locks: from the first statement that needs them to the last, and as far inside of blocks
 * and branches as that goes. */
#ifndef TAPC_PLAN_REGION_H
#define TAPC_PLAN_REGION_H

#include "plan.h"

bool plan_stmt_needs_lock(const struct plan *p, struct stmt *s);
/* The region of S, which needs locks, lies in its parts: S is a block, or an 'if' whose condition needs none. */
bool plan_region_goes_down(const struct plan *p, struct stmt *s);
/* The statements of BLOCK that need locks: *FIRST to *LAST. False: none does. */
bool plan_region_of_block(const struct plan *p, struct stmt *block, size_t *first, size_t *last);

#endif
