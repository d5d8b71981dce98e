/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the translator. */
#include "translation.h"

const char *intern(struct translation *t, const char *s, size_t n)
{
	char *copy = arena_strndup(t->arena, s, n);
	const char *known = map_get(&t->strings, copy);

	if (known)
		return known;
	map_set(&t->strings, copy, copy);
	return copy;
}
