/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as a file for a viewer: what the functions of tapsets/timeline.stp print are slices, points, counters and
 * arrows; other lines are points on the row of their CPU. Used by the loader and by --simulate. */
#ifndef TIMELINE_TIMELINE_H
#define TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forms.h"
#include "table.h"

struct timeline;
struct timeline_format;

/* NULL: no such format. */
const struct timeline_format *timeline_format_of(const char *name);
/* Whether it is a folder with the files TIMELINE_STREAM, which gets what is put, and TIMELINE_DESCRIPTION. */
bool timeline_is_folder(const struct timeline_format *f);
#define TIMELINE_STREAM "stream"
#define TIMELINE_DESCRIPTION "metadata"
/* Whether it is an SQLite file, and what is put are statements for it. */
bool timeline_is_database(const struct timeline_format *f);
/* Whether it shows slices, points and arrows. */
bool timeline_has_slices(const struct timeline_format *f);
/* Whether it may be shown on a terminal. */
bool timeline_is_text(const struct timeline_format *f);
/* Whether a script's format, with its text and table, can be drawn. */
bool timeline_can_show(const struct timeline_format *f, const char *format, const struct table *table);
enum { TIMELINE_REFUSAL = 192 };
/* Whether it cannot show a script, ANY of whose formats it can show, with this number of tables; why, as a message. */
bool timeline_refuses(const struct timeline_format *f, bool any, size_t tables, char text[TIMELINE_REFUSAL]);

struct timeline_settings {
	const char *script;		/* its name */
	const struct table *const *tables;	/* all that the script has, which outlive the timeline */
	size_t table_count;
	int64_t epoch, boot;	/* from time stamps to ns since 1970, and to those of CLOCK_BOOTTIME; 0: unknown */
	/* Takes whole parts of the file. */
	void (*put)(void *to, const char *data, size_t size);
	/* Takes the end of the file, of which the first KEPT bytes stay when there is more. False: it has no room.
	 * NULL: the end cannot be replaced. */
	bool (*put_end)(void *to, const char *data, size_t size, size_t kept);
	void *to;
};

/* Events that are not drawn as the script meant. */
struct timeline_report {
	uint64_t left_out;		/* after the size that the format's viewers can open */
	uint64_t ends;			/* span_end without span_begin */
	uint64_t backward;		/* spans that would end before they start */
	uint64_t too_deep;		/* slices in more slices than viewers show */
	uint64_t others;		/* lines and events that are not stacks or rows, where only these are shown */
	uint64_t cut;			/* rows that timeline_shorten() had no room for */
};

/* The contents of TIMELINE_DESCRIPTION, for the caller to free. */
char *timeline_description(const struct timeline_format *f, const struct timeline_settings *s);
struct timeline *timeline_open(const struct timeline_format *f, const struct timeline_settings *s);
/* Times are stamps of records, in ns. An event of a form; false if its values are malformed. */
bool timeline_event(struct timeline *t, const struct timeline_form *f, uint64_t time, uint32_t cpu,
		    const uint8_t *body, size_t size);
/* The same for one that no script printed, whose texts need not outlive the call. */
void timeline_draw(struct timeline *t, const struct timeline_event *e, uint64_t time, uint32_t cpu);
bool timeline_has_rows(const struct timeline *t);
/* A row of one of the tables, if it has rows; false if its values are malformed. */
bool timeline_row(struct timeline *t, const struct table *table, uint64_t time, uint32_t cpu, const uint8_t *body,
		  size_t size);
/* Other text: each line becomes a point. A record's last line ends with it. */
void timeline_text(struct timeline *t, uint64_t time, uint32_t cpu, const char *text, size_t size);
void timeline_text_end(struct timeline *t, uint64_t time, uint32_t cpu);
/* COUNT records of CPU are missing before TIME. */
void timeline_lost(struct timeline *t, uint64_t time, uint32_t cpu, uint64_t count);
/* Hands over what is complete. Returns when there will be more of that, in ns of CLOCK_MONOTONIC; 0: not before the
 * next event. */
uint64_t timeline_flush(struct timeline *t);
/* Completes the file. */
void timeline_end(struct timeline *t);
/* The file could take its first SIZE bytes only: how many of them to keep, and what to write after these, which is
 * never more than the rest. It is complete then, and has a mark where the disk was full. */
size_t timeline_shorten(struct timeline *t, uint64_t size, const char **end, size_t *end_size);
const struct timeline_settings *timeline_settings_of(const struct timeline *t);
const struct timeline_report *timeline_report_of(const struct timeline *t);
/* Calls WARN with a text for each number of the report; for ENDS, which is usual when a session starts, if ALL. */
void timeline_warn(const struct timeline *t, bool all, void (*warn)(const char *text));
void timeline_close(struct timeline *t);

#endif
