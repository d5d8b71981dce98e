// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the texts themselves: with hashes alone, a collision could lose a warning. */
#include "repeats.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1000, MOST_BYTES = 4096 };

struct given {
	size_t size;
	char text[];
};

static void *all;		/* a tree of struct given */
static unsigned count;

static int compare(const void *a, const void *b)
{
	const struct given *one = a, *other = b;

	if (one->size != other->size)
		return one->size < other->size ? -1 : 1;
	return memcmp(one->text, other->text, one->size);
}

bool repeats(const char *text, size_t size)
{
	struct given *given, **place;
	bool known;

	size -= size && text[size - 1] == '\n';
	given = size <= MOST_BYTES ? malloc(sizeof(*given) + size) : NULL;
	if (!given)
		return false;
	given->size = size;
	memcpy(given->text, text, size);
	if (count == MOST_TEXTS) {
		known = tfind(given, &all, compare) != NULL;
		free(given);
		return known;
	}
	place = tsearch(given, &all, compare);
	known = place && *place != given;
	if (!place || known)
		free(given);
	else
		count++;
	return known;
}
