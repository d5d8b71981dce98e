/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of a probe family: probes/NAME.c ends in `const struct tap_probe_ops tap_NAME`. */
#ifndef TAP_PROBE_H
#define TAP_PROBE_H

#include "session.h"
#include "rows.h"
#include "context.h"

struct tap_probe_ops {
	const char *name;
	/* Attach all rows of this family, disarmed. Failures are told with tap_start_failed, which
	 * knows of optional ones; another row is tried then. What was attached stays until stop. A
	 * return below 0 is for trouble that is not one row's, such as memory. */
	int (*start)(struct tap_row *rows, u32 count);
	/* Detach: on return no handler of these rows runs or will run. Also after a start that
	 * failed. */
	void (*stop)(struct tap_row *rows, u32 count);

	/* All are optional: */
	void (*arm)(struct tap_row *row);	/* after run was set; rows start disarmed */
	void (*disarm)(struct tap_row *row);	/* after run was cleared; may sleep */
	void (*begin)(struct tap_row *rows, u32 count);	/* after all families' start */
	void (*end)(struct tap_row *rows, u32 count, bool failed); /* after all families' stop */
	void (*report)(struct tap_row *row);	/* bring row->missed up to date */
	void (*close)(struct tap_row *rows, u32 count);	/* before the module goes: what stop had to leave */
	/* A processor comes or goes, after tap_cpus_expect: on that one, in a thread that may sleep but not
	 * wait for the lock of CPU hotplug. */
	void (*cpu_comes)(u32 cpu);
	void (*cpu_goes)(u32 cpu);
	const struct tap_site *(*site)(struct tap_row *row, unsigned long ip);	/* what was hit */
	unsigned long (*address)(struct tap_row *row, unsigned long ip);	/* the same in the kernel's code */
};

/* A registration of ROW failed with ERR. FORMAT tells of what and why. An error, or a warning when
 * the row is optional. */
void tap_start_failed(struct tap_row *row, const char *format, ...) __printf(2, 3);

/* In start, before a family looks which processors there are: from now on until stop it is told of those
 * that come and go. */
void tap_cpus_expect(void);

/* The test hook fail_at=K: true for the K-th registration. Families ask before each. */
bool tap_fail_here(void);

#endif
