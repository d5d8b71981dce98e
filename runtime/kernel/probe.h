/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of a probe family: probes/NAME.c defines `const struct tap_probe_ops tap_NAME`
 * at its end. */
#ifndef TAP_PROBE_H
#define TAP_PROBE_H

#include "session.h"
#include "rows.h"
#include "context.h"

struct tap_probe_ops {
	const char *name;
	/* Attaches all rows of this family, disarmed. Failures are reported with
	 * tap_start_failed, which handles optional rows; then the next row is tried. What was
	 * attached stays until stop. Returns below 0 for errors that do not concern a single
	 * row, such as lack of memory. */
	int (*start)(struct tap_row *rows, u32 count);
	/* Detaches: when it returns no handler of these rows is running or will run. Also
	 * called after a failed start. */
	void (*stop)(struct tap_row *rows, u32 count);

	/* All are optional: */
	void (*arm)(struct tap_row *row);	/* after run was set; rows start disarmed */
	void (*disarm)(struct tap_row *row);	/* after run was cleared; may sleep */
	void (*begin)(struct tap_row *rows, u32 count);	/* after start of all families */
	void (*end)(struct tap_row *rows, u32 count, bool failed); /* after stop of all families */
	void (*report)(struct tap_row *row);	/* brings row->missed up to date */
	void (*close)(struct tap_row *rows, u32 count);	/* before unloading: frees what stop had to leave */
	/* Whether the row's hits are no events of the current task, so that --cgroup does not concern them. */
	bool (*is_of_session)(const struct tap_row *row);
	/* A CPU goes online or offline, after tap_cpus_expect: called on that CPU, in a thread that may sleep but
	 * not wait for the lock of CPU hotplug. */
	void (*cpu_comes)(u32 cpu);
	void (*cpu_goes)(u32 cpu);
	const struct tap_site *(*site)(struct tap_row *row, unsigned long ip);	/* the site that was hit */
	unsigned long (*address)(struct tap_row *row, unsigned long ip);	/* its address, if it is in the
										 * kernel's code */
};

/* In a handler or a condition: its probe; never NULL. All queries about the probe start here. */
const struct tap_probe *tap_probe_of(const struct tap_context *c);
struct tap_string tap_probe_type(struct tap_context *c);
u32 tap_interrupt_level(const struct tap_context *c);	/* 0: a thread, 1: a softirq, 2: an interrupt, 3: an NMI */

#endif
