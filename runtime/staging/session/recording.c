// SPDX-License-Identifier: GPL-2.0-or-later
/* The items stay as they were read. A first pass finds CPUs, names and threads, also those that have ended, and counts;
 * a second one merges the CPUs: each of them is in the order of time. */
#include "recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/host.h"

enum { AT_ONCE = 4 << 20, MOST_NAMES = 1 << 16, STEP = sizeof(struct tap_snapshot_item) + TAP_RECORDER_BLOCK };

/* ---- blocks ---- */

static const struct tap_recorder_block *header(const uint8_t *block)
{
	return (const struct tap_recorder_block *)(const void *)block;
}

/* 0: no event is at AT. */
static uint64_t word_at(const uint8_t *block, uint32_t at)
{
	uint64_t word = 0;

	if (at + sizeof(word) <= TAP_RECORDER_BLOCK)
		memcpy(&word, block + at, sizeof(word));
	return word;
}

static uint32_t size_of(uint64_t word)
{
	return tap_recorded_words(tap_recorded_kind(word)) * (uint32_t)sizeof(word);
}

static bool is_event(const uint8_t *block, uint32_t at)
{
	uint64_t word = word_at(block, at);
	uint32_t kind = tap_recorded_kind(word);

	return kind && kind < TAP_RECORDED_KINDS && at + size_of(word) <= TAP_RECORDER_BLOCK;
}

/* ---- the first pass ---- */

static struct recording_thread *add_thread(struct recording *r, uint32_t thread, uint32_t process, uint64_t end,
					   const char name[16])
{
	struct recording_thread *t;

	if (r->thread_count == r->thread_room) {
		r->thread_room = 2 * r->thread_room + 256;
		r->threads = host_grow(r->threads, r->thread_room * sizeof(*r->threads));
	}
	t = &r->threads[r->thread_count++];
	*t = (struct recording_thread){ .thread = thread, .process = process, .end = end };
	memcpy(t->name, name, 16);
	return t;
}

static void take_exit(struct recording *r, uint64_t time, const uint8_t *event)
{
	uint64_t process;

	memcpy(&process, event + 8, sizeof(process));
	add_thread(r, tap_recorded_argument(word_at(event, 0)), (uint32_t)process, time, (const char *)event + 16);
}

/* Returns its events. */
static uint32_t scan_block(struct recording *r, const uint8_t *block)
{
	uint32_t at = sizeof(struct tap_recorder_block), events = 0;

	for (; is_event(block, at); at += size_of(word_at(block, at)), events++)
		if (tap_recorded_kind(word_at(block, at)) == TAP_RECORDED_EXIT)
			take_exit(r, header(block)->begun + tap_recorded_since(word_at(block, at)), block + at);
	return events;
}

static void scan_cpu(struct recording *r, struct recording_cpu *cpu)
{
	const struct tap_recorder_block *before = NULL;
	uint32_t events = 0;

	r->overwritten += cpu->overwritten;
	cpu->begun = UINT64_MAX;
	for (const uint8_t *block = cpu->first; block < cpu->end; block += STEP) {
		const struct tap_recorder_block *h = header(block);

		if (before && h->number == before->number + 1)
			r->torn += h->events - before->events - events;
		if (!before)
			cpu->begun = h->begun > r->head.from ? h->begun : r->head.from;
		events = scan_block(r, block);
		r->kept += events;
		before = h;
	}
	cpu->block = cpu->first;
	cpu->time = cpu->begun <= r->head.to ? cpu->begun : UINT64_MAX;
	if (cpu->time != UINT64_MAX && cpu->begun > r->begun)
		r->begun = cpu->begun;
}

static int compare_threads(const void *one, const void *other)
{
	const struct recording_thread *a = one, *b = other;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static bool take_threads(struct recording *r, const uint8_t *data, size_t size)
{
	struct tap_snapshot_thread thread;

	for (size_t at = 0; at + sizeof(thread) <= size; at += sizeof(thread)) {
		memcpy(&thread, data + at, sizeof(thread));
		add_thread(r, thread.thread, thread.process, UINT64_MAX, thread.name);
	}
	return size % sizeof(thread) == 0;
}

static bool take_name(struct recording *r, const uint8_t *data, size_t size)
{
	uint32_t number;

	if (size < sizeof(number))
		return false;
	memcpy(&number, data, sizeof(number));
	if (number >= MOST_NAMES)
		return false;
	if (number >= r->name_count) {
		r->names = host_grow(r->names, (number + 1) * sizeof(*r->names));
		memset(r->names + r->name_count, 0, (number + 1 - r->name_count) * sizeof(*r->names));
		r->name_count = number + 1;
	}
	free((void *)r->names[number]);
	r->names[number] = host_printf("%.*s", (int)(size - sizeof(number)), (const char *)data + sizeof(number));
	return true;
}

static bool take_struct(void *to, size_t wanted, const uint8_t *data, size_t size)
{
	if (size == wanted)
		memcpy(to, data, size);
	return size == wanted;
}

static bool take_cpu(struct recording *r, const uint8_t *data, size_t size)
{
	struct tap_snapshot_cpu item;

	if (!take_struct(&item, sizeof(item), data, size))
		return false;
	r->cpus = host_grow(r->cpus, (r->cpu_count + 1) * sizeof(*r->cpus));
	r->cpus[r->cpu_count++] = (struct recording_cpu){ .number = item.cpu, .overwritten = item.overwritten };
	return true;
}

static bool take_block(struct recording *r, const uint8_t *data, size_t size)
{
	struct recording_cpu *cpu = r->cpu_count ? &r->cpus[r->cpu_count - 1] : NULL;

	if (!cpu || size != TAP_RECORDER_BLOCK)
		return false;
	if (!cpu->first)
		cpu->first = data;
	cpu->end = data + STEP;
	return true;
}

static bool take_item(struct recording *r, uint32_t kind, const uint8_t *data, size_t size)
{
	switch (kind) {
	case TAP_SNAPSHOT_HEAD:
		return take_struct(&r->head, sizeof(r->head), data, size);
	case TAP_SNAPSHOT_THREADS:
		return take_threads(r, data, size);
	case TAP_SNAPSHOT_NAME:
		return take_name(r, data, size);
	case TAP_SNAPSHOT_CPU:
		return take_cpu(r, data, size);
	case TAP_SNAPSHOT_BLOCK:
		return take_block(r, data, size);
	case TAP_SNAPSHOT_END:
		return take_struct(&r->end, sizeof(r->end), data, size);
	}
	return false;
}

static bool scan(struct recording *r)
{
	struct tap_snapshot_item item;

	for (size_t at = 0; at < r->size; at += item.size) {
		memcpy(&item, r->data + at, sizeof(item));
		at += sizeof(item);
		if (!take_item(r, item.kind, r->data + at, item.size))
			return false;
	}
	for (uint32_t i = 0; i < r->cpu_count; i++)
		scan_cpu(r, &r->cpus[i]);
	if (r->thread_count)
		qsort(r->threads, r->thread_count, sizeof(*r->threads), compare_threads);
	return true;
}

/* ---- reading ---- */

/* The items from AT on. 1: the end is among them; 0: it is not; -1: they are invalid. */
static int find_end(const struct recording *r, size_t at)
{
	struct tap_snapshot_item item;

	while (r->size - at >= sizeof(item)) {
		memcpy(&item, r->data + at, sizeof(item));
		at += sizeof(item);
		if (item.size > r->size - at)
			return -1;
		at += item.size;
		if (item.kind == TAP_SNAPSHOT_END)
			return at == r->size ? 1 : -1;
	}
	return at == r->size ? 0 : -1;
}

static int read_all(struct recording *r, int fd)
{
	size_t room = 0;
	int found = 0;

	while (!found) {
		ssize_t n;

		if (room - r->size < AT_ONCE) {
			room = 2 * room + AT_ONCE;
			r->data = host_grow(r->data, room);
		}
		n = read(fd, r->data + r->size, room - r->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EPROTO;
		r->size += (size_t)n;
		found = find_end(r, r->size - (size_t)n);
	}
	return found > 0 ? 0 : EPROTO;
}

int recording_read(struct recording *r, int fd)
{
	int err;

	*r = (struct recording){ 0 };
	err = read_all(r, fd);
	if (!err && !scan(r))
		err = EPROTO;
	return err;
}

void recording_close(struct recording *r)
{
	for (uint32_t i = 0; i < r->name_count; i++)
		free((void *)r->names[i]);
	free(r->names);
	free(r->threads);
	free(r->cpus);
	free(r->data);
	*r = (struct recording){ 0 };
}

/* ---- the second pass ---- */

static bool switches(uint32_t kind)
{
	return kind == TAP_RECORDED_SLEEP || kind == TAP_RECORDED_PREEMPT;
}

/* Goes to the next event, or the next block. */
static void set_time(const struct recording *r, struct recording_cpu *cpu)
{
	while (cpu->block < cpu->end && cpu->at && !is_event(cpu->block, cpu->at)) {
		cpu->block += STEP;
		cpu->at = 0;
	}
	if (cpu->block >= cpu->end)
		cpu->time = UINT64_MAX;
	else
		cpu->time = header(cpu->block)->begun +
			    (cpu->at ? tap_recorded_since(word_at(cpu->block, cpu->at)) : 0);
	if (cpu->time > r->head.to)
		cpu->time = UINT64_MAX;
}

static void step(const struct recording *r, struct recording_cpu *cpu)
{
	uint64_t word = word_at(cpu->block, cpu->at);

	if (!cpu->at)
		cpu->at = sizeof(struct tap_recorder_block);
	else
		cpu->at += size_of(word);
	set_time(r, cpu);
}

/* Before the snapshot's time only what runs counts. */
static void begin_cpu(struct recording *r, struct recording_cpu *cpu, struct recording_event *e)
{
	cpu->thread = header(cpu->block)->thread;
	cpu->number_before = header(cpu->block)->number;
	for (step(r, cpu); cpu->at && cpu->time < cpu->begun; step(r, cpu))
		if (switches(tap_recorded_kind(word_at(cpu->block, cpu->at))))
			cpu->thread = tap_recorded_argument(word_at(cpu->block, cpu->at));
	*e = (struct recording_event){ cpu->begun, cpu->number, RECORDING_RUNS, cpu->thread, 0 };
}

/* False: the block follows the one before. */
static bool begin_block(struct recording *r, struct recording_cpu *cpu, struct recording_event *e)
{
	uint64_t before = cpu->number_before;

	cpu->number_before = header(cpu->block)->number;
	*e = (struct recording_event){ cpu->time, cpu->number, RECORDING_RUNS, header(cpu->block)->thread, 0 };
	step(r, cpu);
	return cpu->number_before != before + 1;
}

static void take_event(struct recording *r, struct recording_cpu *cpu, struct recording_event *e)
{
	uint64_t word = word_at(cpu->block, cpu->at);

	*e = (struct recording_event){ cpu->time, cpu->number, tap_recorded_kind(word),
				       tap_recorded_argument(word), 0 };
	if (e->kind == TAP_RECORDED_VALUE)
		e->value = word_at(cpu->block, cpu->at + 8);
	step(r, cpu);
}

static struct recording_cpu *earliest(struct recording *r)
{
	struct recording_cpu *first = &r->cpus[0];

	for (uint32_t i = 1; i < r->cpu_count; i++)
		if (r->cpus[i].time < first->time)
			first = &r->cpus[i];
	return first;
}

bool recording_next(struct recording *r, struct recording_event *e)
{
	while (r->cpu_count) {
		struct recording_cpu *cpu = earliest(r);

		if (cpu->time == UINT64_MAX)
			return false;
		if (cpu->block == cpu->first && !cpu->at) {
			begin_cpu(r, cpu, e);
			return true;
		}
		if (cpu->at) {
			take_event(r, cpu, e);
			return true;
		}
		if (begin_block(r, cpu, e))
			return true;
	}
	return false;
}

const struct recording_thread *recording_thread_at(const struct recording *r, uint32_t thread, uint64_t time)
{
	size_t low = 0, high = r->thread_count;

	/* the first one that does not end before TIME */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct recording_thread *t = &r->threads[middle];

		if (t->thread < thread || (t->thread == thread && t->end < time))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < r->thread_count && r->threads[low].thread == thread)
		return &r->threads[low];
	if (low && r->threads[low - 1].thread == thread)
		return &r->threads[low - 1];
	return NULL;
}
