/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses of taprun and tapc, so that cron jobs and scripts can tell failures apart. With -c CMD, a
 * successful session exits with CMD's own status (128+N if signal N killed it); messages on stderr then
 * distinguish CMD's status 1 from the script's. */
#ifndef STAGING_STATUS_H
#define STAGING_STATUS_H

enum tap_status {
	TAP_STATUS_OK = 0,	/* ended by exit(), a signal, -T, the end of the command or of the reader */
	TAP_STATUS_RUNTIME = 1,	/* the script failed while running: too many errors or skipped probes */
	TAP_STATUS_USAGE = 2,	/* wrong command line */
	TAP_STATUS_SCRIPT = 3,	/* tapc: syntax or semantic error in the script (pass 1-2) */
	TAP_STATUS_BUILD = 4,	/* tapc: C code or module could not be built (pass 3-4) */
	TAP_STATUS_LOAD = 5,	/* the module was refused, could not start, or does not exist */
	TAP_STATUS_TARGET = 6,	/* the command of -c could not start, or the process of -x or the
				 * cgroup of --cgroup does not exist */
	TAP_STATUS_LOCKED = 7,	/* another run holds the lock file of --lock */
	TAP_STATUS_HOST = 8,	/* out of memory or disk, fork failed, or a module could not be removed */
};

#endif
