/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the formats, one file each, and what they share with timeline.c. A row in common/timelines.def makes
 * a format. */
#ifndef TIMELINE_FORMAT_H
#define TIMELINE_FORMAT_H

#include "bytes.h"
#include "columns.h"
#include "marks.h"
#include "names.h"
#include "stacks.h"
#include "table.h"
#include "timeline.h"
#include "tracks.h"

/* All functions add to t->out; those that a format does not need are NULL. A profile has a tail only, which writes
 * t->stacks. Processes and tracks are described before they are used, and again when their name has changed. */
struct timeline_format {
	const char *name;
	bool is_profile;	/* of folded stacks that the script prints */
	bool takes_stacks;	/* lines that are folded stacks of several frames are no points */
	bool is_whole;		/* events are kept in t->marks until the tail writes them */
	bool is_text;		/* that people read, too */
	bool is_database;	/* what is put is SQL for a database file */
	size_t most_tables;	/* with row() only: of how many tables it can have the rows */
	uint64_t most;		/* bytes that its viewers can open; 0: any */
	/* The contents of `metadata` in a folder, whose file `stream` gets all the rest; NULL: one file. */
	void (*describe)(const struct timeline_settings *s, struct bytes *to);
	void (*part)(struct timeline *t);	/* completes t->out before it is handed over; may be NULL */
	void (*head)(struct timeline *t);
	void (*process)(struct timeline *t, const struct process *p);
	void (*track)(struct timeline *t, const struct track *track);
	void (*begin)(struct timeline *t, const struct track *track, uint64_t time, struct name *name);
	/* NAME NULL: it is not kept. */
	void (*end)(struct timeline *t, const struct track *track, uint64_t time, const struct name *name);
	void (*span)(struct timeline *t, const struct track *track, uint64_t start, uint64_t end, struct name *name);
	/* FROM and TO: with an end of arrow FLOW; INSTANT: without. TRACK NULL: of the whole file, whose NAME is
	 * not kept. */
	void (*point)(struct timeline *t, const struct track *track, uint64_t time, struct name *name,
		      enum timeline_kind kind, uint64_t flow);
	/* With rows, instead of all the above. VALUES: one for each column of the table. TIME is in ns since 1970. */
	void (*row)(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
		    const struct table_value *values);
	void (*lost)(struct timeline *t, int64_t time, uint32_t cpu, uint64_t count);	/* may be NULL */
	void (*counter)(struct timeline *t, const struct track *track, uint64_t time, int64_t value);
	/* After a part was handed over: writes what is kept, to be replaced later; as timeline_flush(). May be NULL. */
	uint64_t (*save)(struct timeline *t);
	void (*tail)(struct timeline *t);
	/* The same after the first bytes of the file, whose number is returned, with so few events that these
	 * and t->out have at most SIZE bytes, 0 if that is not possible, and with the point WHY of the whole
	 * file, if it has points. */
	uint64_t (*shorten)(struct timeline *t, uint64_t size, const char *why);
	/* Of a file of groups (groups.h): what it begins with; a group of the first ROWS that are kept, with its
	 * description in t->columns.described; the end, after GROUPS that have ROWS and are described there. */
	void (*start)(struct timeline *t);
	void (*group)(struct timeline *t, uint32_t rows);
	void (*finish)(struct timeline *t, uint32_t groups, uint64_t rows);
};

enum { TIMELINE_STARTS = 64 };

/* Where a part of the file starts, and the time of the last event before it. */
struct timeline_start {
	uint64_t at, time;
};

struct timeline {
	const struct timeline_format *format;
	struct timeline_settings settings;
	struct bytes out;		/* what has not been handed over */
	uint64_t handed;		/* bytes of the file before that */
	uint64_t time;			/* of the last event */
	uint64_t lost, lost_before;	/* records so far, and since the last row */
	bool started, full;
	struct names names;		/* of slices and points */
	struct tracks tracks;
	struct stacks stacks;		/* of a profile */
	struct marks marks;		/* of a format that is_whole */
	struct columns columns;		/* of a format with save */
	struct table_value *values;	/* of a row */
	const struct table *inserting;	/* SQL: the table of the statement that has not ended; NULL: it has */
	struct bytes line;
	struct timeline_start starts[TIMELINE_STARTS];	/* the last ones */
	uint64_t start_count;
	struct timeline_report report;
};

#endif
