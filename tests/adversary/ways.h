/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a session, and the ways in which a process can hold one. */
#ifndef ADVERSARY_WAYS_H
#define ADVERSARY_WAYS_H

#include <stdbool.h>

struct file {
	const char *name, *path;	/* the path has %s for the module's name */
	bool is_written;
	bool is_loaders;		/* open already, by the loader: he hands it over */
	bool is_revoked;		/* a probe's: when the session is over, it can be nobody's any more */
};
extern const struct file files[];	/* up to one without a name */

struct hold {
	const struct file *file;
	char path[128];
	int fd;
	char *far;			/* memory whose contents never come */
	volatile bool *ended;		/* threads shall end */
};

enum kind {
	PINS,				/* the file is open */
	PINS_AT_TIMES,
	PINS_NOT,
};
struct way {
	const char *name;
	int (*hold)(struct hold *h);	/* 0: it is held; else errno, EBADF: this file cannot be */
	enum kind kind;
	enum { FAR = 1,			/* it takes FAR_FILE, whose pages never come */
	       OTHERS = 2 } flags;	/* it is no descriptor of this process */
};
extern const struct way ways[];

#define FAR_PLACE "/run/lifetimes.far"
#define FAR_FILE FAR_PLACE "/page"

#endif
