// SPDX-License-Identifier: GPL-2.0-or-later
/* A binary heap. The records of one CPU are almost in order already: an interrupt's record is complete before
 * that of the handler it interrupted, whose time stamp is earlier. Records mostly go to the end of the heap and
 * stay there, so adding one costs next to nothing. */
#include "order.h"

#include <stdlib.h>

#include "common/host.h"

void order_open(struct order *o, uint32_t cpus)
{
	*o = (struct order){ .cpus = cpus, .horizons = host_alloc(cpus * sizeof(uint64_t)) };
}

void order_close(struct order *o)
{
	free(o->heap);
	free(o->horizons);
	*o = (struct order){ 0 };
}

static bool is_before(const struct order_entry *a, const struct order_entry *b)
{
	if (a->stamp != b->stamp)
		return a->stamp < b->stamp;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu;
	return (int32_t)(a->sequence - b->sequence) < 0;	/* the number may have wrapped around */
}

void order_add(struct order *o, const struct order_entry *e)
{
	size_t i = o->count++;

	if (o->count > o->room) {
		o->room = o->room ? o->room * 2 : 1024;
		o->heap = host_grow(o->heap, o->room * sizeof(*o->heap));
	}
	for (; i > 0 && is_before(e, &o->heap[(i - 1) / 2]); i = (i - 1) / 2)
		o->heap[i] = o->heap[(i - 1) / 2];
	o->heap[i] = *e;
}

static void remove_first(struct order *o)
{
	const struct order_entry last = o->heap[--o->count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < o->count) {
		if (child + 1 < o->count && is_before(&o->heap[child + 1], &o->heap[child]))
			child++;
		if (!is_before(&o->heap[child], &last))
			break;
		o->heap[i] = o->heap[child];
		i = child;
	}
	o->heap[i] = last;
}

void order_horizon(struct order *o, uint32_t cpu, uint64_t stamp)
{
	uint64_t before = o->horizons[cpu];

	if (stamp <= before)
		return;
	o->horizons[cpu] = stamp;
	if (before > o->watermark)
		return;
	o->watermark = UINT64_MAX;
	for (uint32_t i = 0; i < o->cpus; i++)
		if (o->horizons[i] < o->watermark)
			o->watermark = o->horizons[i];
}

bool order_next(struct order *o, bool forced, struct order_entry *e)
{
	if (o->count == 0 || (!forced && o->heap[0].stamp >= o->watermark))
		return false;
	*e = o->heap[0];
	remove_first(o);
	if (e->stamp < o->last)
		o->late++;
	else
		o->last = e->stamp;
	return true;
}
