/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting in place, for foreach: heaps only, so that there is neither recursion nor a bad case, and a
 * comparison that contradicts itself (of data that others change) can do no harm. */
#ifndef TAP_CORE_SORT_H
#define TAP_CORE_SORT_H

#include "core/host.h"

struct tap_sort_item {
	s64 key;		/* ascending */
	u32 ref, tag;		/* the owner's; equal items keep the order of their tags */
};

struct tap_sort {
	struct tap_context *c;
	struct tap_sort_item *items;
	u32 count, room;
	u32 steps;		/* since the host was asked the last time */
	/* The order of two with equal keys; NULL: there is nothing more to compare. */
	int (*compare)(const struct tap_sort *s, const struct tap_sort_item *a,
		       const struct tap_sort_item *b);
	const void *owner;
};

/* Keep the first ROOM items in order of all that are offered, in ROOM log ROOM at first and one
 * comparison for each that is too late. All have been offered: tap_sort_finish. Both are false when the
 * host says to stop. */
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
			return true;			/* too late: the root is the last one */
	}
	return tap_sort_offer_slow(s, item);
}

#endif
