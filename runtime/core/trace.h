/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls that led to an error, innermost first: "f called at x.stp:3:5". */
#ifndef TAP_CORE_TRACE_H
#define TAP_CORE_TRACE_H

#include "tap_script.h"

enum { TAP_TRACE = 6 };

struct tap_trace {
	const char *calls[TAP_TRACE];
	u32 times[TAP_TRACE];		/* consecutive calls: recursion is reported once */
	u32 n;				/* may be more than the array holds */
};

static inline void tap_trace_add(struct tap_trace *t, const char *call)
{
	if (t->n && t->n <= TAP_TRACE && t->calls[t->n - 1] == call) {
		t->times[t->n - 1]++;
		return;
	}
	if (t->n < TAP_TRACE) {
		t->calls[t->n] = call;
		t->times[t->n] = 1;
	}
	t->n++;
}

/* Writes ", in f called at x.stp:3:5, in g ..." as far as ROOM permits; returns the length. */
u32 tap_trace_text(const struct tap_trace *t, char *text, u32 room);

#endif
