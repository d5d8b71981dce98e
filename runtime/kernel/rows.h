/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the script's table of probes at run time: whether they are armed, and their counts. */
#ifndef TAP_ROWS_H
#define TAP_ROWS_H

#include <linux/workqueue.h>

#include "session.h"

struct tap_row_count {			/* per CPU */
	u64 hits, skipped;
};
struct tap_row_time {			/* per CPU, with TAP_SESSION_TIMING; in tap_cycles */
	u64 total, least, most;
};

struct pt_regs;
struct tap_gate_frame;
struct tap_row;

/* Of returns whose handler is needed for few of them: decides without a frame. Preemption is off at the entry. */
struct tap_row_path {
	/* At the entry, where no handler runs at this level: a ticket for the return; 0: the return is not wanted. */
	s64 (*enter)(struct tap_row *row, struct pt_regs *regs, unsigned long ip);
	/* At the return: whether the handler is needed. Its entry handler runs then, with tap_frame.ticket. */
	bool (*leave)(struct pt_regs *regs, s64 ticket);
	/* The same of direct calls, as struct tap_gate has them. Calls whose entry handler has run return here, too. */
	bool (*entered)(struct tap_gate_frame *g);
	void (*returned)(struct tap_gate_frame *g);
};

/* The members that a hit reads come first. */
struct tap_row {
	void (*run)(struct tap_context *c);	/* the handler while the row is armed, otherwise NULL */
	struct tap_row_count __percpu *count;
	u32 flags;			/* of the probe */
	bool (*wants)(void);		/* of returns: whether the current thread is one that the probe follows;
					 * NULL: it follows all */
	const struct tap_probe *probe;
	struct tap_row_time __percpu *time;
	const struct tap_row_path *path;	/* if WANTS says so; or NULL */
	void *family;			/* owned by the family */
	u64 missed;			/* hits that the family could not catch */
	bool off;			/* switched off by TAP_DISARM */
	bool shed;			/* switched off by tap_rows_shed */
	atomic64_t load;		/* time in handlers, for tap_rows_shed; sampled */
	bool active;			/* whether the family's arm was called */
	u8 indirect;			/* enum tap_indirect */
	u32 direct;			/* places that call the row's code */
};

extern struct tap_row *tap_rows;	/* tap_script.probe_count of them */
#define for_each_row(row) \
	for (struct tap_row *row = tap_rows; row < tap_rows + tap_script.probe_count; row++)

/* Says why one of the row's places does not call its code, if it has any. */
static inline void tap_row_indirect(struct tap_row *row, enum tap_indirect why)
{
	if (row->probe->direct && !row->indirect)
		row->indirect = why;
}

/* At load and unload. */
int tap_rows_open(void);
void tap_rows_close(void);
int tap_rows_start(void);		/* allocates what only a session needs */

void tap_rows_reset(void);		/* statistics; called with the session's lock held */

/* From any context. */
void tap_rows_disarm_at_once(void);
/* Conditions may have changed, or rows were switched off: arming.c will look at all rows. */
void tap_rows_changed(void);
/* Switches off the row that has taken the most time since the last call; NULL if no row took any. */
struct tap_row *tap_rows_shed(void);

/* The update that tap_rows_changed requests; arming.c initialises it. */
extern struct delayed_work tap_rows_due;
void tap_rows_forget_changes(void);	/* waits for an update in progress; may sleep */

void tap_row_report(struct tap_row *row, struct tap_probe_report *report);

#endif
