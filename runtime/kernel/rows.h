/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the script's table of probes at run time: whether they are armed, and their counts. */
#ifndef TAP_ROWS_H
#define TAP_ROWS_H

#include "session.h"

struct tap_row_count {			/* per CPU */
	u64 hits, skipped;
};
struct tap_row_time {			/* per CPU, with TAP_SESSION_TIMING; in tap_cycles */
	u64 total, least, most;
};

/* The members that a hit reads come first. */
struct tap_row {
	void (*run)(struct tap_context *c);	/* the handler while the row is armed, otherwise NULL */
	struct tap_row_count __percpu *count;
	u32 flags;			/* of the probe */
	const struct tap_probe *probe;
	struct tap_row_time __percpu *time;
	void *family;			/* owned by the family */
	u64 missed;			/* hits that the family could not catch */
	bool off;			/* switched off by TAP_DISARM */
	bool shed;			/* switched off by tap_rows_shed */
	atomic64_t load;		/* time in handlers, for tap_rows_shed; sampled */
	bool active;			/* whether the family's arm was called */
};

extern struct tap_row *tap_rows;	/* tap_script.probe_count of them */

/* At load and unload. */
int tap_rows_open(void);
void tap_rows_close(void);
int tap_rows_start(void);		/* allocates what only a session needs */

/* All of these are called with the session's lock held: */
void tap_rows_update(void);		/* arms and disarms according to state, commands and conditions */
int tap_rows_switch(u32 number, bool on);	/* all rows of one of the script's probes */
void tap_rows_reset(void);		/* statistics */
void tap_rows_stop(void);		/* disarms all; no update will follow */

/* From any context. */
void tap_rows_disarm_at_once(void);
/* Switches off the row that has taken the most time since the last call; NULL if no row took any. */
struct tap_row *tap_rows_shed(void);

void tap_row_report(struct tap_row *row, struct tap_probe_report *report);

/* In a handler or a condition: its probe; never NULL. All queries about the probe start here. */
const struct tap_probe *tap_probe_of(const struct tap_context *c);
struct tap_string tap_probe_type(struct tap_context *c);

#endif
