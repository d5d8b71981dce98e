/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions with which back ends build location steps. */
#ifndef TAPC_DEBUGINFO_LOCATION_H
#define TAPC_DEBUGINFO_LOCATION_H

#include "debuginfo/place.h"

struct location_step *location_add(struct arena *a, struct location *l, enum location_op op,
				   int64_t value);
struct location location_nowhere(const char *reason);
/* Append steps that extend a value of type T to 64 bits. */
void location_extend(struct arena *a, struct location *l, const struct debug_type *t);
/* The address of a variable in the symbol table. */
struct location location_of_symbol(struct arena *a, const struct symbol *s);

#endif
