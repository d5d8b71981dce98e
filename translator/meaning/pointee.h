/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of pointers. Scripts have no pointer type, but a number that comes from a target variable keeps its pointer
 * type through variables, elements, arguments and results, so that p->member works. */
#ifndef TAPC_POINTEE_H
#define TAPC_POINTEE_H

#include <stdbool.h>

#include "base/arena.h"

struct debug_type;

/* Marks a value that points to different types at different times: it cannot be dereferenced. */
extern const struct debug_type pointee_conflict;

/* Records that a value of type *KNOWN may also point to FOUND (NULL: unknown). Returns whether *KNOWN changed. */
bool pointee_learn(struct arena *a, const struct debug_type **known, const struct debug_type *found);

#endif
