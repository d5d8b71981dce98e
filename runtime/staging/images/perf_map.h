/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a program gives to code it has made: /tmp/perf-PID.map in its mount namespace, with its number in its pid
 * namespace. Just-in-time compilers write it for perf(1): a line "START SIZE NAME" for each function, both numbers in
 * hexadecimal. */
#ifndef STAGING_PERF_MAP_H
#define STAGING_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "abi/tap_image.h"

struct perf_map {
	int root;			/* the root directory of the process, O_PATH; -1 */
	uid_t user;			/* of the process: the file must belong to this user */
	char path[64];			/* for messages and stacks */
};

/* Of process PID. Touches no file system but proc. False: there is no such process; the path is set all the same. The
 * caller closes map->root. */
bool perf_map_find(struct perf_map *map, pid_t pid);

/* Opens it. The file system may be one that never answers, or in the hands of the user: only for a process that may
 * hang. No link is followed. -1: there is no such file, or it is not the user's. */
int perf_map_open(const struct perf_map *map);

/* Packs the names of the open file FD for addresses from WINDOW on, 4 GB. Lines that are malformed are left out. The
 * caller frees the result. */
struct tap_image_head *perf_map_read(int fd, const char *path, u64 window, size_t *size);

#endif
