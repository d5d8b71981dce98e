/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many loops over an array can be active at once, of those that use a list of its elements: sorted loops, and all
 * loops over aggregates. */
#ifndef TAPC_PLAN_ITERATORS_H
#define TAPC_PLAN_ITERATORS_H

#include "plan.h"

/* Sets the iterators of all p->globals. */
void plan_iterators(struct plan *p);

#endif
