// SPDX-License-Identifier: GPL-2.0-or-later
/* A queue per CPU, and a heap of the CPUs by their first records. The records of one CPU are almost in order
 * already: an interrupt's record is complete before that of the handler it interrupted, whose time stamp is earlier.
 * So nearly all are added at the end of their queue, and while one CPU's records precede those of all others, the
 * heap stays as it is. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "common/host.h"

struct order_queue {
	struct order_entry *entries;	/* [first, end) are waiting, in order */
	size_t first, end, room;
};

void order_open(struct order *o, uint32_t cpus)
{
	*o = (struct order){
		.cpus = cpus,
		.queues = host_alloc(cpus * sizeof(struct order_queue)),
		.heap = host_alloc(cpus * sizeof(uint32_t)),
		.horizons = host_alloc(cpus * sizeof(uint64_t)),
	};
}

void order_close(struct order *o)
{
	for (uint32_t i = 0; i < o->cpus; i++)
		free(o->queues[i].entries);
	free(o->queues);
	free(o->heap);
	free(o->horizons);
	*o = (struct order){ 0 };
}

static inline bool is_before(const struct order_entry *a, const struct order_entry *b)
{
	if (a->stamp != b->stamp)
		return a->stamp < b->stamp;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu;
	return (int32_t)(a->sequence - b->sequence) < 0;	/* the number may have wrapped around */
}

/* ---- one CPU ---- */

static const struct order_entry *first_of(const struct order *o, uint32_t cpu)
{
	const struct order_queue *q = &o->queues[cpu];

	return &q->entries[q->first];
}

/* Half of the room is free afterwards, so that an entry is moved once on average. */
static void make_room(struct order_queue *q)
{
	size_t count = q->end - q->first;

	if (count > q->room / 2) {
		q->room *= 2;
		q->entries = host_grow(q->entries, q->room * sizeof(*q->entries));
	} else if (!q->room) {
		q->room = 1024;
		q->entries = host_grow(NULL, q->room * sizeof(*q->entries));
	}
	if (count)
		memmove(q->entries, q->entries + q->first, count * sizeof(*q->entries));
	q->first = 0;
	q->end = count;
}

/* The place of E among the entries, which are not all before it. */
static size_t place_of(const struct order_queue *q, const struct order_entry *e)
{
	size_t low = q->first, high = q->end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(e, &q->entries[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* True if E is now the first. */
static bool queue_add(struct order_queue *q, const struct order_entry *e)
{
	size_t at;

	if (q->end == q->room)
		make_room(q);
	at = q->end;
	if (at > q->first && is_before(e, &q->entries[at - 1])) {
		at = place_of(q, e);
		memmove(q->entries + at + 1, q->entries + at, (q->end - at) * sizeof(*q->entries));
	}
	q->entries[at] = *e;
	q->end++;
	return at == q->first;
}

/* ---- all CPUs ---- */

static void move_up(struct order *o, uint32_t i)
{
	uint32_t cpu = o->heap[i];
	const struct order_entry *first = first_of(o, cpu);

	for (; i > 0 && is_before(first, first_of(o, o->heap[(i - 1) / 2])); i = (i - 1) / 2)
		o->heap[i] = o->heap[(i - 1) / 2];
	o->heap[i] = cpu;
}

static void move_first_down(struct order *o)
{
	uint32_t cpu = o->heap[0], i = 0, child;
	const struct order_entry *first = first_of(o, cpu);

	while ((child = 2 * i + 1) < o->active) {
		if (child + 1 < o->active &&
		    is_before(first_of(o, o->heap[child + 1]), first_of(o, o->heap[child])))
			child++;
		if (!is_before(first_of(o, o->heap[child]), first))
			break;
		o->heap[i] = o->heap[child];
		i = child;
	}
	o->heap[i] = cpu;
}

static uint32_t place_in_heap(const struct order *o, uint32_t cpu)
{
	uint32_t i = 0;

	while (o->heap[i] != cpu)
		i++;
	return i;
}

void order_add(struct order *o, const struct order_entry *e)
{
	struct order_queue *q = &o->queues[e->cpu];
	bool empty = q->first == q->end;

	o->count++;
	if (!queue_add(q, e))
		return;
	if (empty)
		o->heap[o->active++] = e->cpu;
	move_up(o, empty ? o->active - 1 : place_in_heap(o, e->cpu));
}

static void remove_first(struct order *o)
{
	struct order_queue *q = &o->queues[o->heap[0]];

	o->count--;
	if (++q->first == q->end) {
		q->first = q->end = 0;
		o->heap[0] = o->heap[--o->active];
	}
	if (o->active > 1)
		move_first_down(o);
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
	const struct order_entry *first = o->count ? first_of(o, o->heap[0]) : NULL;

	if (!first || (!forced && first->stamp >= o->watermark))
		return false;
	*e = *first;
	remove_first(o);
	if (e->stamp < o->last)
		o->late++;
	else
		o->last = e->stamp;
	return true;
}
