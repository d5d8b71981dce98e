/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the module's questions about files that processes have mapped (its file "images"), in a separate
 * thread, because a large library takes a while. */
#ifndef STAGING_IMAGES_H
#define STAGING_IMAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct images {
	int fd;				/* the module's file; -1: it has no questions */
	int stop;			/* eventfd that ends the thread */
	bool running;
	bool lines;			/* source lines are needed */
	bool all_processes;			/* begin with the files of all processes */
	pthread_t thread;
	struct known *known;		/* files that were sent already */
	size_t known_count;
	unsigned left_out;		/* files for which the module had no room */
	char *first_left_out;
	unsigned unread;		/* files that could not be read within the limits */
	char *first_unread;
};

/* DIRECTORY: the module's. The file "images" does not exist if the script needs nothing from user space. Only
 * root can open it: in sessions of other users, through tapd, the module gets no tables. LINES: include source
 * lines. 0 or errno. */
int images_open(struct images *i, int directory, bool lines);
/* Sends the files that process PID has mapped. Call this and images_tell_file before the probes are armed. */
void images_tell_process(struct images *i, pid_t pid);
/* Sends a file by name; with LIBRARIES, also the libraries it is linked to. False if it cannot be opened
 * (errno). */
bool images_tell_file(struct images *i, const char *path, bool libraries);
/* Starts answering; ALL_PROCESSES: also sends the files that all processes have mapped now. */
void images_begin(struct images *i, bool all_processes);
/* Stops answering and warns about the files left out. */
void images_close(struct images *i);

#endif
