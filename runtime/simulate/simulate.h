/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulating runtime: a script as an ordinary program, without a kernel or root (tapc --simulate).
 *
 * One process, one thread. There are two simulated CPUs with four levels each; each handler runs on the next of
 * these eight in turn, so that data kept per CPU and level must be merged here, too. Time is virtual for timers:
 * the next one is due at once. The clocks that a script reads are the machine's. */
#ifndef TAP_SIMULATE_H
#define TAP_SIMULATE_H

#include <stdio.h>

#include "tap_script.h"
#include "core/regex.h"
#include "core/trace.h"

enum { TAP_CPUS = 2, TAP_LEVELS = 4 };

/* Rows of the script's table of probes at run time. main.c implements the families; their ops
 * here only distinguish them. */
struct tap_probe_ops {
	const char *name;
};
extern const struct tap_probe_ops tap_begin, tap_test, tap_timer;

struct row {
	const struct tap_probe *probe;
	bool armed;
	u64 due;			/* timers: virtual ns */
};

struct session {
	struct row *rows;		/* tap_script.probe_count of them */
	bool exiting;			/* exit(), or too many errors */
	bool failed;			/* makes the exit status 1 */
	bool conditions_changed;
	u64 errors, lost;
	s64 target;			/* -x */
	u64 end;			/* -T: virtual ns */
	bool no_warnings, verbose, pretty, names_pass;
	FILE *out;
	struct timeline *timeline;	/* --output=perfetto and so on; NULL: lines */
};
extern struct session session;

/* ---- context.c ---- */

/* The running handler, or the last one that ran. */
struct frame {
	struct tap_context c;		/* must be first */
	const struct row *row;
	u32 cpu;
	bool uncatchable;		/* the script may not catch c.error */
	s32 actions_left;
	u8 *out_base;
	u32 out_size;
	char *scratch_base;
	struct tap_groups groups;
	char message[512];
	struct tap_trace trace;		/* of c.error */
};
extern struct frame frame;

void frame_open(void);
void frame_close(void);
/* Runs the row's handler: false after a soft error, whose text is in frame.c.error. */
bool frame_run(const struct row *row, bool unhurried);
/* The same, but reports and counts an error. */
void frame_hit(const struct row *row, bool unhurried);
bool frame_condition(const struct row *row);
/* "text near where, in the calls that led there" for the last error. */
const char *frame_error_text(void);
char *frame_cells(u32 i);		/* of the i-th CPU and level; NULL after the last */

/* ---- lock.c ---- */

void locks_check(void);			/* checks that none is held; does not return otherwise */

/* ---- output.c ---- */

void output_items(const u8 *items, u32 size);	/* a sequence of struct tap_item */
/* PATH NULL: standard output. 0, or a status. */
int output_open_timeline(const char *format, const char *path);
void output_close_timeline(void);
void output_message(const char *prefix, const char *text, u64 size);

/* ---- timer.c ---- */

u64 timers_now(void);			/* virtual ns */
void timers_arm(struct row *row);
void timers_run(void);			/* until exit(), or the end of virtual time */

/* ---- rows.c ---- */

void rows_open(void);
void rows_close(void);
void rows_update(void);			/* arms and disarms timers according to conditions */
#define for_each_row(row, of) \
	for (struct row *row = session.rows; row < session.rows + tap_script.probe_count; row++) \
		if (row->probe->ops == &(of))

/* Reports a bug in tapc rather than in the script, and ends the process. */
_Noreturn void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
