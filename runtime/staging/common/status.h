/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses of taprun and tapc, so that cron and scripts can tell failures apart. With -c CMD a
 * session that went well passes on CMD's own status (128+N when signal N ended it); the lines on
 * stderr then tell a 1 of CMD from a 1 of the script. */
#ifndef STAGING_STATUS_H
#define STAGING_STATUS_H

enum tap_status {
	TAP_STATUS_OK = 0,	/* ended by exit(), a signal, -T, the command's end, or its reader */
	TAP_STATUS_RUNTIME = 1,	/* the script failed while it ran: errors or skips above the limit */
	TAP_STATUS_USAGE = 2,	/* the command line */
	TAP_STATUS_SCRIPT = 3,	/* tapc: syntax or meaning of the script (pass 1-2) */
	TAP_STATUS_BUILD = 4,	/* tapc: C or module could not be made (pass 3-4) */
	TAP_STATUS_LOAD = 5,	/* the module was refused, could not start, or is not there */
	TAP_STATUS_TARGET = 6,	/* -c's command could not start, or -x's process does not exist */
	TAP_STATUS_LOCKED = 7,	/* another run has the file of --lock */
	TAP_STATUS_HOST = 8,	/* memory, disk, fork; a module that could not be removed */
};

#endif
