// SPDX-License-Identifier: GPL-2.0-or-later
/* A CPU's file is read into a chunk of 256 KB until the chunk is nearly full. Records stay there until they are
 * printed, and an empty chunk is reused. So memory is bounded by the records that wait. When one CPU's
 * heartbeat is delayed (by a handler that runs for seconds) and too many records wait for it, the oldest ones
 * leave out of order, and are counted. */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/record.h"
#include "common/host.h"
#include "common/message.h"

enum { CHUNK_SIZE = 256 << 10, LEAST_ROOM = 64 << 10, MOST_MEMORY = 64 << 20 };

struct relay_chunk {
	struct relay_chunk *next;
	size_t used, room;
	size_t live;			/* records that wait, plus 1 while it is being filled */
	_Alignas(8) unsigned char data[];
};

void relay_open(struct relay *r, uint32_t cpus, size_t largest, bool whole)
{
	size_t least = 2 * (largest + 2 * sizeof(struct tap_record));

	*r = (struct relay){ .cpus = cpus, .whole = whole };
	r->cpu = host_alloc(cpus * sizeof(*r->cpu));
	r->least_room = ((least > LEAST_ROOM ? least : LEAST_ROOM) + 7) & ~(size_t)7;
	r->most_memory = MOST_MEMORY + (size_t)cpus * (CHUNK_SIZE + r->least_room);
	order_open(&r->order, cpus);
	for (uint32_t i = 0; i < cpus; i++) {
		r->cpu[i].fd = -1;
		order_horizon(&r->order, i, ORDER_NO_HORIZON);
	}
}

void relay_add_cpu(struct relay *r, uint32_t cpu, int fd)
{
	r->cpu[cpu].fd = fd;
	r->cpu[cpu].known = r->whole;
	r->order.horizons[cpu] = 0;
	r->order.watermark = 0;
}

int relay_open_files(struct relay *r, int dir)
{
	for (uint32_t i = 0; i < r->cpus; i++) {
		char name[16];
		int fd;

		if (r->cpu[i].fd >= 0 || r->cpu[i].gone)
			continue;
		snprintf(name, sizeof(name), "cpu%u", i);
		fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			relay_add_cpu(r, i, fd);
		else if (errno != ENOENT)
			return errno;
	}
	return 0;
}

uint32_t relay_cpus(const struct relay *r)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < r->cpus; i++)
		open += r->cpu[i].fd >= 0;
	return open;
}

/* ---- chunks ---- */

static struct relay_chunk *chunk_get(struct relay *r)
{
	struct relay_chunk *c = r->free;
	size_t room = CHUNK_SIZE > 2 * r->least_room ? CHUNK_SIZE : 2 * r->least_room;

	if (c)
		r->free = c->next;
	else {
		c = host_grow(NULL, sizeof(*c) + room);
		c->room = room;
		r->memory += room;
	}
	c->used = 0;
	c->live = 1;
	return c;
}

static void chunk_put(struct relay *r, struct relay_chunk *c)
{
	if (--c->live)
		return;
	if (r->memory > r->most_memory / 2) {
		r->memory -= c->room;
		free(c);
		return;
	}
	c->next = r->free;
	r->free = c;
}

static struct relay_chunk *chunk_with_room(struct relay *r, struct relay_cpu *cpu)
{
	struct relay_chunk *c = cpu->chunk;

	if (c && c->live == 1)
		c->used = 0;
	if (c && c->room - c->used < r->least_room) {
		chunk_put(r, c);
		c = NULL;
	}
	if (!c)
		c = cpu->chunk = chunk_get(r);
	return c;
}

/* ---- reading ---- */

static void close_cpu(struct relay *r, uint32_t n)
{
	host_close(&r->cpu[n].fd);
	r->cpu[n].gone = true;
	order_horizon(&r->order, n, ORDER_NO_HORIZON);
}

/* The last gap of the CPU, or with SEQUENCE in it. */
static struct relay_gap *find_gap(struct relay *r, uint32_t n, const uint32_t *sequence)
{
	for (uint32_t i = r->gap_count; i-- > 0;) {
		struct relay_gap *gap = &r->gaps[i];

		if (gap->cpu == n && (!sequence || *sequence - gap->first <= gap->last - gap->first))
			return gap;
	}
	return NULL;
}

static void add_gap(struct relay *r, const struct relay_gap *new)
{
	struct relay_gap *last = r->gap_count >= RELAY_GAPS ? find_gap(r, new->cpu, NULL) : NULL;

	if (last) {
		last->last = new->last;
		last->count += new->count;
		last->stamp = new->stamp;
		return;
	}
	r->gaps = host_grow(r->gaps, (r->gap_count + 1) * sizeof(*r->gaps));
	r->gaps[r->gap_count++] = *new;
}

bool relay_next_gap(struct relay *r, bool any, struct relay_gap *gap)
{
	for (uint32_t i = 0; i < r->gap_count; i++) {
		if (!any && r->gaps[i].stamp > r->current.stamp)
			continue;
		*gap = r->gaps[i];
		r->gap_count--;
		memmove(r->gaps + i, r->gaps + i + 1, (r->gap_count - i) * sizeof(*r->gaps));
		if (gap->count)
			return true;
		i--;
	}
	return false;
}

static void count_gap(struct relay *r, uint32_t n, uint32_t sequence, uint64_t stamp)
{
	struct relay_cpu *cpu = &r->cpu[n];
	int32_t step = (int32_t)(sequence - cpu->sequence);	/* the number may have wrapped around */
	struct relay_gap *gap;

	if (cpu->known && step <= 0) {		/* it comes after its successor, so it was not lost */
		if (cpu->lost)
			cpu->lost--;
		gap = find_gap(r, n, &sequence);
		if (gap && gap->count)
			gap->count--;
		return;
	}
	if (cpu->known && step > 1) {
		cpu->lost += (uint32_t)step - 1;
		add_gap(r, &(struct relay_gap){ stamp, n, cpu->sequence + 1, sequence - 1, (uint32_t)step - 1 });
		message_verbose(1, "%d records of CPU %u were lost before its number %u", step - 1, n,
				sequence);
	}
	cpu->known = true;
	cpu->sequence = sequence;
}

static void take_record(struct relay *r, uint32_t n, struct relay_chunk *c,
			const struct tap_record *record, size_t *bytes)
{
	struct relay_cpu *cpu = &r->cpu[n];

	if (!tap_record_payload(record)) {
		cpu->made = record->sequence;
		order_horizon(&r->order, n, record->stamp);
		return;
	}
	count_gap(r, n, record->sequence, record->stamp);
	cpu->records++;
	*bytes += tap_record_room(record->size);
	c->live++;
	order_add(&r->order,
		  &(struct order_entry){ record->stamp, record->sequence, n, record, c });
}

static ssize_t read_all(int fd, void *data, size_t room)
{
	ssize_t got;

	do {
		got = read(fd, data, room);
	} while (got < 0 && errno == EINTR);
	return got;
}

static void read_cpu(struct relay *r, uint32_t n, struct relay_round *round)
{
	struct relay_chunk *c = chunk_with_room(r, &r->cpu[n]);
	u8 *data = c->data + c->used;
	size_t room = c->room - c->used;
	ssize_t got = read_all(r->cpu[n].fd, data, room);
	struct tap_record record;
	enum tap_walk walk;
	const u8 *payload;
	u64 at = 0, start = 0;

	if (got < 0 && errno == EAGAIN)
		return;
	if (got <= 0) {			/* a module's file has no end: the module is gone */
		close_cpu(r, n);
		return;
	}
	while ((walk = tap_record_next(data, (u64)got, &at, &record, &payload)) == TAP_WALK_OK) {
		take_record(r, n, c, (const struct tap_record *)(data + start), &round->bytes);
		start = at;
	}
	c->used += start;
	if (walk != TAP_WALK_END) {
		message_error("the module's records of CPU %u are invalid", n);
		r->broken = true;
		close_cpu(r, n);
	}
	if ((size_t)got + r->least_room / 2 > room)
		round->more = true;
}

struct relay_round relay_read(struct relay *r)
{
	struct relay_round round = { 0 };

	for (uint32_t i = 0; i < r->cpus; i++)
		if (r->cpu[i].fd >= 0)
			read_cpu(r, i, &round);
	return round;
}

const struct tap_record *relay_next(struct relay *r, bool forced, uint32_t *cpu)
{
	if (r->current.owner) {
		chunk_put(r, r->current.owner);
		r->current.owner = NULL;
	}
	if (!order_next(&r->order, forced || r->memory > r->most_memory, &r->current))
		return NULL;
	r->records++;
	*cpu = r->current.cpu;
	return r->current.record;
}

void relay_end(struct relay *r)
{
	for (uint32_t i = 0; i < r->cpus; i++) {
		struct relay_cpu *cpu = &r->cpu[i];

		if (cpu->known && (int32_t)(cpu->made - cpu->sequence) > 0)
			count_gap(r, i, cpu->made + 1, r->order.last);
	}
}

uint64_t relay_lost(const struct relay *r)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < r->cpus; i++)
		lost += r->cpu[i].lost;
	return lost;
}

void relay_close(struct relay *r)
{
	uint32_t cpu;

	while (relay_next(r, true, &cpu))
		;
	for (uint32_t i = 0; i < r->cpus; i++) {
		host_close(&r->cpu[i].fd);
		free(r->cpu[i].chunk);
	}
	while (r->free) {
		struct relay_chunk *next = r->free->next;

		free(r->free);
		r->free = next;
	}
	order_close(&r->order);
	free(r->gaps);
	free(r->cpu);
	*r = (struct relay){ 0 };
}
