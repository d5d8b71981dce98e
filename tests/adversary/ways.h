/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a session, and the ways in which a process can hold one. */
#ifndef ADVERSARY_WAYS_H
#define ADVERSARY_WAYS_H

#include <stdbool.h>

struct file {
	const char *name, *path;	/* the path has %s for the module's name */
	bool is_written;
	bool is_loaders;		/* already open in the loader, which hands it over */
	bool is_revoked;		/* a probe's file: no longer accessible when the session is over */
};
extern const struct file files[];	/* ends with one without a name */

struct hold {
	const struct file *file;
	char path[128];
	int fd;
	char *far;			/* memory whose contents never arrive */
	volatile bool *ended;		/* tells threads to end */
};

enum kind {
	PINS,				/* the file is open */
	PINS_AT_TIMES,
	PINS_NOT,
};
struct way {
	const char *name;
	int (*hold)(struct hold *h);	/* 0: it is held; otherwise an errno; EBADF: not
					 * possible for this file */
	enum kind kind;
	enum { FAR = 1,			/* it uses FAR_FILE, whose pages never arrive */
	       OTHERS = 2 } flags;	/* not held by a descriptor of this process */
};
extern const struct way ways[];

#define FAR_PLACE "/run/lifetimes.far"
#define FAR_FILE FAR_PLACE "/page"

#endif
