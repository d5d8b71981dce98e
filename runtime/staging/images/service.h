/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's questions about files that processes have mapped (its file "images"), answered by a thread of
 * their own, for a large library takes a while. */
#ifndef STAGING_IMAGES_H
#define STAGING_IMAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct images {
	int fd;				/* the module's file; -1: it asks for nothing */
	int stop;			/* eventfd: the thread ends */
	bool running;
	bool lines;			/* it wants those of sources */
	bool everybody;			/* look at all processes at first */
	pthread_t thread;
	struct known *known;		/* files that were told without being asked for */
	size_t known_count;
	unsigned left_out;		/* files for which the module had no room */
	char *first_left_out;
	unsigned unread;		/* those that took too much to read */
	char *first_unread;
};

/* DIRECTORY: the module's. A script that asks for nothing of user space has no such file, and it is
 * root's only: in sessions of others, through tapd, nothing is told of files. LINES: it asks for those
 * of sources, too. 0 or errno. */
int images_open(struct images *i, int directory, bool lines);
/* Tell of files before the probes are in place: what every process has, what this one has mapped, and
 * (0: none) this process' libraries. */
void images_tell_process(struct images *i, pid_t pid);
/* A file by its name; with LIBRARIES, what it is linked to, too. False: it cannot be opened (errno). */
bool images_tell_file(struct images *i, const char *path, bool libraries);
/* Answer from now on; EVERYBODY: and tell of all that processes have mapped now, meanwhile. */
void images_begin(struct images *i, bool everybody);
/* Tells what was left out. */
void images_close(struct images *i);

#endif
