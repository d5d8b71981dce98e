/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that lead to a value, as the back ends put them together. */
#ifndef TAPC_DEBUGINFO_LOCATION_H
#define TAPC_DEBUGINFO_LOCATION_H

#include "debuginfo/place.h"

struct location_step *location_add(struct arena *a, struct location *l, enum location_op op,
				   int64_t value);
struct location location_nowhere(const char *reason);
/* At the end of a value's steps: extended to 64 bits as a value of type T. */
void location_extend(struct arena *a, struct location *l, const struct debug_type *t);
/* The address of a symbol's datum. */
struct location location_of_symbol(struct arena *a, const struct symbol *s);

#endif
