/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of tapsets/timeline.stp print one record each, whose format says what it is: the format's text is the
 * mark. It is compared once, when the table of formats is read. */
#ifndef TIMELINE_FORMS_H
#define TIMELINE_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timeline_kind {
	TIMELINE_BEGIN, TIMELINE_END, TIMELINE_SPAN, TIMELINE_INSTANT, TIMELINE_COUNTER, TIMELINE_FROM, TIMELINE_TO,
};

struct timeline_form {
	const char *text;	/* the format */
	enum timeline_kind kind;
	/* What its values are: n name, v value (ns of a span, of a counter, or the number of a flow), a how many ns ago
	 * it was, k the name of a track; c execname, p pid and t tid of the thread. */
	const char *values;
	const char *type;	/* of the object in JSON */
};

struct timeline_text {
	const char *data;
	size_t size;
};

/* An event as the script printed it. */
struct timeline_event {
	enum timeline_kind kind;
	struct timeline_text name, track, execname;
	int64_t value, ago, pid, tid;
	bool has_name, has_value, has_track, has_thread;
};

/* NULL: the format is an ordinary one. */
const struct timeline_form *timeline_form_of(const char *format);
/* Reads a record's values; false if they are not what the form requires. The texts point into BODY. */
bool timeline_form_read(const struct timeline_form *f, const uint8_t *body, size_t size, struct timeline_event *e);

#endif
