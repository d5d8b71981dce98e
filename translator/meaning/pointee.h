/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What numbers point to: scripts have no pointers, but what comes from a target variable keeps its type through
 * variables, elements, arguments and results, so that p->member works. */
#ifndef TAPC_POINTEE_H
#define TAPC_POINTEE_H

#include <stdbool.h>

#include "base/arena.h"

struct debug_type;

/* Stands for several types at once: nothing can be read through such a pointer. */
extern const struct debug_type pointee_conflict;

/* Something of which *KNOWN is known may also point to FOUND (NULL: nothing is known). Is that news? */
bool pointee_learn(struct arena *a, const struct debug_type **known, const struct debug_type *found);

#endif
