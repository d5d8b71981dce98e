/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the script's table of probes at run time: armed or not, and what they have counted. */
#ifndef TAP_ROWS_H
#define TAP_ROWS_H

#include "session.h"

struct tap_row_count {			/* of one CPU */
	u64 hits, skipped;
};
struct tap_row_time {			/* of one CPU, with TAP_SESSION_TIMING; in tap_cycles */
	u64 total, least, most;
};

/* What a hit reads comes first. */
struct tap_row {
	void (*run)(struct tap_context *c);	/* the handler while the row is armed, else NULL */
	struct tap_row_count __percpu *count;
	u32 flags;			/* of the probe */
	const struct tap_probe *probe;
	struct tap_row_time __percpu *time;
	void *family;			/* the family's own */
	u64 missed;			/* what the family could not catch */
	bool off;			/* by TAP_DISARM */
	bool shed;			/* by tap_rows_shed */
	atomic64_t load;		/* time in handlers, for tap_rows_shed; sampled */
	bool active;			/* the family's arm was called */
};

extern struct tap_row *tap_rows;	/* tap_script.probe_count of them */

/* At load and unload. */
int tap_rows_open(void);
void tap_rows_close(void);
int tap_rows_start(void);		/* what only a session needs */

/* All of these with the session's lock held: */
void tap_rows_update(void);		/* arm and disarm as state, commands and conditions want it */
int tap_rows_switch(u32 number, bool on);	/* all rows of one of the script's probes */
void tap_rows_reset(void);		/* statistics */
void tap_rows_stop(void);		/* disarmed, and no update will come */

/* From any context. */
void tap_rows_disarm_at_once(void);
/* Switch the row off that has taken most time since the last call; NULL when there is none. */
struct tap_row *tap_rows_shed(void);

void tap_row_report(struct tap_row *row, struct tap_probe_report *report);

/* In a handler or a condition: the probe that it is of; never NULL. Whatever asks for it asks here. */
const struct tap_probe *tap_probe_of(const struct tap_context *c);
struct tap_string tap_probe_type(struct tap_context *c);

#endif
