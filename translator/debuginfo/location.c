/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building the programs that compute where a variable is. */
#include "location.h"

struct location_step *location_add(struct arena *a, struct location *l, enum location_op op,
				   int64_t value)
{
	struct location_step *s = vec_add(a, &l->steps);

	*s = (struct location_step){ .op = op, .value = value };
	return s;
}

struct location location_nowhere(const char *reason)
{
	return (struct location){ .kind = LOCATION_NOWHERE, .reason = reason };
}

void location_extend(struct arena *a, struct location *l, const struct debug_type *t)
{
	const struct debug_type *real = debug_type_real(t);

	if (real->size > 0 && real->size < 8)
		location_add(a, l, real->is_signed ? LOCATION_SIGN : LOCATION_ZERO, 0)->size =
			(uint8_t)real->size;
}

struct location location_of_symbol(struct arena *a, const struct symbol *s)
{
	struct location l = { .kind = LOCATION_IN_MEMORY };

	if (s->flags & SYMBOL_ABSOLUTE)
		location_add(a, &l, LOCATION_CONST, (int64_t)s->address);
	else
		location_add(a, &l, LOCATION_ADDRESS, s->offset)->section = s->section;
	if (s->flags & SYMBOL_PERCPU)
		location_add(a, &l, LOCATION_PERCPU, 0);
	return l;
}
