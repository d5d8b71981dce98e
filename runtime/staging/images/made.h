/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of code that a process has made in memory without a file: from the dump that it has mapped, jit-PID.dump
 * (jitdump.h), or from /tmp/perf-PID.map (perf_map.h) in its mount namespace, with its number in its pid namespace. */
#ifndef STAGING_MADE_H
#define STAGING_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "abi/tap_image.h"

struct made {
	pid_t pid;
	unsigned number;		/* in its namespace */
	uid_t user;			/* the file must belong to this user */
	int root;			/* the root directory of the process, O_PATH; -1 */
	bool is_dump;
	char path[4096];		/* of the file, for messages and stacks */
};

/* Finds process PID. Touches no file system but proc. False: there is no such process; the path is set all the same.
 * The caller closes made->root. */
bool made_find(struct made *made, pid_t pid);

/* Opens the file, and sets what is known of it. The file system may be one that never answers, or in the hands of the
 * user: only for a process that may hang. No link is followed. -1: there is no such file, or it is not the user's. */
int made_open(struct made *made);

/* Packs the names of the open file FD for addresses from WINDOW on, 4 GB. What is malformed is left out. The caller
 * frees the result. */
struct tap_image_head *made_read(const struct made *made, int fd, u64 window, bool lines, size_t *size);

#endif
