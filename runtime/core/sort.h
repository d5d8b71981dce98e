/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting in place, for foreach: heaps only, so that there is neither recursion nor a worst case, and an
 * inconsistent comparison (of data that other CPUs change) can do no harm. */
#ifndef TAP_CORE_SORT_H
#define TAP_CORE_SORT_H

#include "core/host.h"

struct tap_sort_item {
	s64 key;		/* ascending */
	u32 ref, tag;		/* for the owner; equal items keep the order of their tags */
};

struct tap_sort {
	struct tap_context *c;
	struct tap_sort_item *items;
	u32 count, room;
	u32 steps;		/* since the last call of tap_host_go_on() */
	/* Compares two items with equal keys; NULL: there is nothing more to compare. */
	int (*compare)(const struct tap_sort *s, const struct tap_sort_item *a,
		       const struct tap_sort_item *b);
	const void *owner;
};

/* Keeps the first ROOM items in order of all that are offered, in ROOM log ROOM steps at first and one comparison
 * for each item that is too late. After the last one call tap_sort_finish. Both return false when the host says to
 * stop. */
bool tap_sort_offer_slow(struct tap_sort *s, struct tap_sort_item item);
bool tap_sort_finish(struct tap_sort *s);

static inline bool tap_sort_offer(struct tap_sort *s, struct tap_sort_item item)
{
	if (++s->steps < TAP_STEPS_BETWEEN) {
		if (s->count + 1 < s->room) {
			s->items[s->count++] = item;
			return true;
		}
		if (s->count == s->room && s->room && item.key > s->items[0].key)
			return true;			/* too late: the root is the last item kept */
	}
	return tap_sort_offer_slow(s, item);
}

#endif
