/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A snapshot of the recorder (tap_recorder.h) in memory, as one sequence of events. */
#ifndef STAGING_RECORDING_H
#define STAGING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/tap_recorder.h"

/* Since BEGUN, a history of one CPU. */
struct recording_cpu {
	uint32_t number;
	const uint8_t *first;		/* its blocks, each after its item; they are in sequence */
	const uint8_t *end;
	uint64_t overwritten;		/* events before the oldest one that was kept */
	uint64_t begun;			/* UINT64_MAX: it has no events */
	/* the next event: */
	const uint8_t *block;
	uint32_t at;			/* in the block; 0: its header */
	uint64_t number_before;		/* of the block before */
	uint32_t thread;		/* that runs */
	uint64_t time;			/* UINT64_MAX: no more */
};

/* A thread whose name is known until END; UINT64_MAX: it existed when the snapshot was read. */
struct recording_thread {
	uint32_t thread, process;
	uint64_t end;
	char name[17];
};

enum { RECORDING_RUNS = 0 };		/* a kind of event: what was before is not known; the argument runs */

struct recording_event {
	uint64_t time;
	uint32_t cpu, kind, argument;
	uint64_t value;			/* of TAP_RECORDED_VALUE */
};

struct recording {
	uint8_t *data;
	size_t size;
	struct tap_snapshot_head head;
	struct tap_snapshot_end end;
	struct recording_cpu *cpus;
	uint32_t cpu_count;
	struct recording_thread *threads;	/* in the order of numbers, then of ends */
	size_t thread_count, thread_room;
	const char **names;			/* of the script's events; entries may be NULL */
	uint32_t name_count;
	uint64_t kept, overwritten;	/* events */
	uint64_t torn;			/* events being written when their block was read, and those after them in it */
	uint64_t begun;			/* since then nothing of any CPU is missing */
};

/* Reads what the file has, and checks it. 0, or errno: EPROTO if it is invalid. */
int recording_read(struct recording *r, int fd);
/* The next event of those of the snapshot's time, in the order of time. Each CPU has a RECORDING_RUNS first, and after
 * blocks that are missing. False: no more. */
bool recording_next(struct recording *r, struct recording_event *e);
/* What is known of a thread at TIME: NULL or one that ends later, otherwise the last one of this number. */
const struct recording_thread *recording_thread_at(const struct recording *r, uint32_t thread, uint64_t time);
void recording_close(struct recording *r);

#endif
