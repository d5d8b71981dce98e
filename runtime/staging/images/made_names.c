// SPDX-License-Identifier: GPL-2.0-or-later
#include "made_names.h"

#include <stdint.h>
#include <stdlib.h>

#include "common/host.h"

enum { MOST_NAME = 255, MOST_NAMES = 1 << 20 };

void made_names_clean(char *text)
{
	for (size_t n = 0; text[n]; n++) {
		if ((unsigned char)text[n] < ' ' || text[n] == 0x7f)
			text[n] = '?';
		if (n == MOST_NAME)
			text[n] = 0;
	}
}

void made_names_add(struct made_names *names, u64 start, u64 size, char *name, u32 rank)
{
	if (!*name || !size || start < names->window || start - names->window > UINT32_MAX ||
	    size > UINT32_MAX - (start - names->window) || names->count == MOST_NAMES)
		return;
	made_names_clean(name);
	if (names->count == names->room) {
		names->room = 2 * names->room + 1024;
		names->items = host_grow(names->items, names->room * sizeof(*names->items));
	}
	names->items[names->count++] = (struct tables_symbol){
		.at = start - names->window, .size = size, .name = name, .rank = rank,
	};
}

static int compare(const void *a, const void *b)
{
	const struct tables_symbol *s = a, *u = b;

	if (s->at != u->at)
		return s->at < u->at ? -1 : 1;
	return s->rank > u->rank ? -1 : s->rank < u->rank;
}

void made_names_order(struct made_names *names)
{
	struct tables_symbol *items = tables_ordered(names->items, names->count, sizeof(*items), compare);
	size_t count = 0;

	names->items = items;
	for (size_t i = 0; i < names->count; i++) {
		struct tables_symbol s = items[i], *last = count ? &items[count - 1] : NULL;
		bool overlaps = last && s.at < last->at + last->size;

		if (overlaps && s.rank < last->rank)
			continue;
		if (overlaps)
			last->size = s.at - last->at;
		items[count++] = s;
	}
	names->count = count;
}

void made_names_free(struct made_names *names)
{
	free(names->items);
}
