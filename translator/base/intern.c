/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interned texts. */
#include "intern.h"

#include "arena.h"

void interned_open(struct interned *known, struct arena *a)
{
	known->arena = a;
	map_init(&known->texts, a);
}

const char *intern(struct interned *known, const char *s, size_t n)
{
	char *copy = arena_strndup(known->arena, s, n);
	const char *old = map_get(&known->texts, copy);

	if (old)
		return old;
	map_set(&known->texts, copy, copy);
	return copy;
}
