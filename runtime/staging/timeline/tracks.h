/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a timeline: threads, CPUs, names of the script's, counters. Slices of one row must nest, so spans that
 * overlap are on lanes, further rows of the same name. */
#ifndef TIMELINE_TRACKS_H
#define TIMELINE_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "forms.h"
#include "names.h"

enum track_kind { TRACK_THREAD, TRACK_CPU, TRACK_NAMED, TRACK_COUNTER, TRACK_ALIAS };

enum {
	TRACKS_MOST = 1 << 17,	/* further ones are one row */
	TRACK_DEEPEST = 250,	/* slices in slices: Perfetto ignores those after 255 */
	TRACK_ENDED = 256,	/* slices of a lane that are remembered, to find overlaps */
};

struct process {
	int64_t pid;
	uint32_t number;	/* from the same sequence as those of tracks */
	bool written;
	struct name *name;	/* NULL: not known yet */
	struct process *next;
};

struct interval {
	uint64_t start, end;
};

struct slice {
	const struct name *name;	/* NULL: it is not kept */
	uint64_t hash, start;		/* of the name */
};

struct track {
	enum track_kind kind;
	uint32_t number;	/* from 1, unique in the timeline */
	uint64_t id;		/* the thread, the CPU; of a counter: the number of the track it belongs to, or 0 */
	struct process *process;	/* of a thread; NULL: not known */
	struct name *name;	/* NULL: there are too many names */
	struct track *parent;	/* of a lane: the first one; of a counter: its track, or NULL */
	uint32_t lane_number;	/* from 0 */
	bool written;		/* its description, as it is now, is in the file */
	struct track *lane;	/* the next one */
	struct slice *open;	/* that have begun */
	uint32_t depth, open_room;
	struct interval *ended;	/* that may still be inside a later span; in order, disjoint */
	uint32_t ended_count;
	struct interval forgotten;	/* from the first to the last one that is not remembered */
	struct track *target;	/* of an alias */
	uint64_t hash;
	struct track *next;	/* in its chain */
	char *key;
	size_t key_size;
};

struct tracks {
	struct track **chains;
	struct process **processes;
	uint32_t count, next_number;
	struct names names;	/* of tracks */
};

void tracks_open(struct tracks *t);
void tracks_close(struct tracks *t);
/* PID and EXECNAME of the thread as they are now. Thread 0, the idle one, is its CPU. */
struct track *track_of_thread(struct tracks *t, int64_t tid, int64_t pid, struct timeline_text execname,
			      uint32_t cpu);
struct track *track_of_cpu(struct tracks *t, uint32_t cpu);
/* "cpu": this one; "cpu:N"; "thread:TID:PID:NAME"; otherwise a name of the script's. */
struct track *track_of_text(struct tracks *t, struct timeline_text text, uint32_t cpu);
struct track *track_of_counter(struct tracks *t, struct timeline_text name, struct track *parent);

/* ---- nesting ---- */

/* False: too deep, so neither this slice nor its end is written. */
bool track_begin(struct track *t, uint64_t time, const struct name *name);
/* Ends the innermost slice of that name, 0: of any, with those inside it. Returns how many ends are to be written; -1:
 * no such slice has begun. */
int track_end(struct track *t, uint64_t time, uint64_t name);
/* The name of slice I of COUNT that track_end() has just ended, from 0, the innermost one; NULL: it is not kept. */
const struct name *track_ended(const struct track *t, int i, int count);
/* The lane in which the span overlaps no slice without containing it. */
struct track *track_lane(struct tracks *all, struct track *t, uint64_t start, uint64_t end);

#endif
