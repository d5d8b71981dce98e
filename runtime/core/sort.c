/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The root of the heap is the last item in order. While it is not full, items are only
 * appended; it becomes a heap when the first item does not fit, or at the end. */
#include "core/sort.h"
#include "core/host.h"

static bool before(const struct tap_sort *s, const struct tap_sort_item *a,
		   const struct tap_sort_item *b)
{
	int order;

	if (a->key != b->key)
		return a->key < b->key;
	order = s->compare ? s->compare(s, a, b) : 0;
	return order ? order < 0 : a->tag < b->tag;
}

/* Puts ITEM into the heap of N items in which HOLE is free and the rest below it in order: moves down along the
 * later children to a leaf, then up to its position. That is usually near the leaves. */
static void place(struct tap_sort *s, u32 hole, u32 n, struct tap_sort_item item)
{
	struct tap_sort_item *items = s->items;
	u32 top = hole, child;

	while ((child = 2 * hole + 1) < n) {
		if (child + 1 < n && before(s, &items[child], &items[child + 1]))
			child++;
		items[hole] = items[child];
		hole = child;
		s->steps++;
	}
	while (hole > top && before(s, &items[(hole - 1) / 2], &item)) {
		items[hole] = items[(hole - 1) / 2];
		hole = (hole - 1) / 2;
	}
	items[hole] = item;
	s->steps++;
}

static bool go_on(struct tap_sort *s)
{
	if (s->steps < TAP_STEPS_BETWEEN)
		return true;
	s->steps = 0;
	return tap_host_go_on(s->c);
}

static bool make_heap(struct tap_sort *s)
{
	u32 i = s->count / 2;

	while (i--) {
		place(s, i, s->count, s->items[i]);
		if (!go_on(s))
			return false;
	}
	return true;
}

bool tap_sort_offer_slow(struct tap_sort *s, struct tap_sort_item item)
{
	if (s->count < s->room) {
		s->items[s->count++] = item;
		if (s->count == s->room && !make_heap(s))
			return false;
	} else if (s->room && before(s, &item, &s->items[0])) {
		place(s, 0, s->count, item);
	}
	return go_on(s);
}

bool tap_sort_finish(struct tap_sort *s)
{
	u32 n = s->count;

	if (n < s->room && !make_heap(s))
		return false;
	while (n > 1) {
		struct tap_sort_item last = s->items[--n];

		s->items[n] = s->items[0];
		place(s, 0, n, last);
		if (!go_on(s))
			return false;
	}
	return true;
}
