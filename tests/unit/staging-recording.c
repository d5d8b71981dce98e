// SPDX-License-Identifier: GPL-2.0-or-later
/* A snapshot of the recorder as its file has it, made here: all of its events are drawn; one that is not written yet is
 * counted with those after it in its block; what is malformed is rejected. With the arguments FORMAT FILE MEGABYTES it
 * saves a snapshot of that size, and prints the processor time for that. */
#include "session/recording_draw.h"
#include "session/trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/output.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

enum { CPUS = 2, THREADS = 64, HEAD = sizeof(struct tap_recorder_block), MESSAGE = 64 << 10 };

/* ---- what a module would write ---- */

static uint8_t message[MESSAGE];
static size_t used;

static void send_message(int to)
{
	if (used && send(to, message, used, 0) != (ssize_t)used)
		_exit(1);
	used = 0;
}

static void put_item(int to, uint32_t kind, const void *data, size_t size)
{
	struct tap_snapshot_item item = { kind, (uint32_t)size };

	if (used + sizeof(item) + size > sizeof(message))
		send_message(to);
	memcpy(message + used, &item, sizeof(item));
	memcpy(message + used + sizeof(item), data, size);
	used += sizeof(item) + size;
}

/* Threads run for six events each: they return from a call, make two more, and wake another one up before they
 * sleep. */
static uint64_t event(uint64_t number, uint32_t since, uint32_t *thread)
{
	static const uint8_t calls[] = { 0, 1, 3, 7, 39, 44, 202, 232 };
	uint32_t call = calls[(number / 6 + (number % 6 + 1) / 2) % sizeof(calls)];

	switch (number % 6) {
	case 0:
	case 2:
		return tap_recorded_word(since, TAP_RECORDED_RETURN, call);
	case 1:
	case 3:
		return tap_recorded_word(since, TAP_RECORDED_CALL, call);
	case 4:
		return tap_recorded_word(since, TAP_RECORDED_WAKE, 1000 + *thread % THREADS);
	}
	*thread = 1 + (*thread + 7) % THREADS;
	return tap_recorded_word(since, TAP_RECORDED_SLEEP, 1000 + *thread);
}

/* TORN: the event in the middle of the first block is not written yet. */
static void put_cpu(int to, uint32_t cpu, uint64_t blocks, bool torn)
{
	static union {
		struct tap_recorder_block head;
		uint64_t words[TAP_RECORDER_BLOCK / 8];
	} block;
	enum { EACH = (TAP_RECORDER_BLOCK - HEAD) / 8 - 1 };
	struct tap_snapshot_cpu item = { .cpu = cpu };
	uint32_t thread = 1 + cpu;

	put_item(to, TAP_SNAPSHOT_CPU, &item, sizeof(item));
	for (uint64_t number = 0; number < blocks; number++) {
		memset(&block, 0, sizeof(block));
		block.head = (struct tap_recorder_block){ number + 1, 1000 + number * EACH * 300, number * EACH,
							  1000 + thread, 0 };
		for (uint32_t i = 0; i < EACH; i++)
			block.words[HEAD / 8 + i] = event(number * EACH + i, i * 300, &thread);
		if (torn && number == 0)
			block.words[HEAD / 8 + EACH / 2] = 0;
		put_item(to, TAP_SNAPSHOT_BLOCK, &block, sizeof(block));
	}
}

static void put_snapshot(int to, uint64_t blocks, bool torn)
{
	struct tap_snapshot_head head = { .number = 1, .to = UINT64_MAX - 1 };
	struct tap_snapshot_thread threads[THREADS];
	struct tap_snapshot_end end = { 0 };

	put_item(to, TAP_SNAPSHOT_HEAD, &head, sizeof(head));
	for (uint32_t i = 0; i < THREADS; i++) {
		threads[i] = (struct tap_snapshot_thread){ .thread = 1001 + i, .process = 1001 + i / 4 * 4 };
		snprintf(threads[i].name, sizeof(threads[i].name), "thread-%u", i);
	}
	put_item(to, TAP_SNAPSHOT_THREADS, threads, sizeof(threads));
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		put_cpu(to, cpu, blocks, torn);
	put_item(to, TAP_SNAPSHOT_END, &end, sizeof(end));
	send_message(to);
}

/* A process that sends a snapshot of BLOCKS on each CPU, in whole items; from which it can be read. */
static int snapshot(uint64_t blocks, bool torn)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0)
		exit(2);
	if (fork() == 0) {
		put_snapshot(ends[0], blocks, torn);
		_exit(0);
	}
	close(ends[0]);
	return ends[1];
}

/* ---- tests ---- */

static void put_nowhere(void *to, const char *data, size_t size)
{
	(void)data;
	*(size_t *)to += size;
}

static uint64_t drawn(uint64_t blocks, bool torn, uint64_t *missing)
{
	size_t size = 0;
	struct timeline *t = timeline_open(timeline_format_of("perfetto"),
					   &(struct timeline_settings){ .put = put_nowhere, .to = &size });
	uint64_t first, last, events;
	struct recording r;
	int fd = snapshot(blocks, torn);

	CHECK(recording_read(&r, fd) == 0);
	events = recording_draw(&r, t, &first, &last);
	timeline_end(t);
	*missing = r.torn;
	CHECK(size > events && first == 1000 && last > first);
	recording_close(&r);
	timeline_close(t);
	close(fd);
	wait(NULL);
	return events;
}

static void draws_all(void)
{
	uint64_t torn;

	CHECK(drawn(1, false, &torn) == 1014 && torn == 0);
	CHECK(drawn(100, false, &torn) == 101400 && torn == 0);
	CHECK(drawn(100, true, &torn) == 101400 - 2 * 254 && torn == 2 * 254);
}

static void rejects_what_is_malformed(void)
{
	struct tap_snapshot_item items[] = { { TAP_SNAPSHOT_BLOCK, 8 }, { 0, 0 }, { TAP_SNAPSHOT_END, 8 }, { 0, 0 },
					     { 99, 0 }, { TAP_SNAPSHOT_HEAD, 4096 } };
	struct recording r;
	int ends[2];

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i += 2) {
		CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
		CHECK(send(ends[0], items + i, 2 * sizeof(*items), 0) > 0);
		close(ends[0]);
		CHECK(recording_read(&r, ends[1]) == EPROTO);
		recording_close(&r);
		close(ends[1]);
	}
}

/* ---- with arguments ---- */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int save(const char *format, const char *path, unsigned megabytes)
{
	struct output_names names = { .format = path };
	struct meta m = { .script = "test" };
	int fd = snapshot((uint64_t)megabytes * 256 / CPUS, false);
	double begun = seconds(), copied;
	uint64_t first, last, events;
	struct recording r;
	struct timeline *t;
	struct output out;

	if (recording_read(&r, fd) || output_open_file(&out, &names, -1, NULL) ||
	    !trace_file_open(&t, timeline_format_of(format), &m, &out, true))
		return 2;
	copied = seconds();
	events = recording_draw(&r, t, &first, &last);
	trace_file_end(t, false);
	output_flush(&out);
	printf("%llu events: %.3f s to copy, %.3f s to write\n", (unsigned long long)events, copied - begun,
	       seconds() - copied);
	trace_file_close(t, &out);
	output_close(&out);
	recording_close(&r);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 3)
		return save(argv[1], argv[2], (unsigned)atoi(argv[3]));
	draws_all();
	rejects_what_is_malformed();
	return failures != 0;
}
