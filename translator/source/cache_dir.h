/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory that keeps the results of a run for later runs of the same user. */
#ifndef TAPC_CACHE_DIR_H
#define TAPC_CACHE_DIR_H

#include <stdbool.h>

struct arena;

struct cache_dir {
	struct arena *arena;
	bool is_disabled;		/* --disable-cache */
	bool is_tried;			/* PATH has been looked for */
	const char *path;		/* see cache_dir_path */
};

/* Returns the cache directory. It is safe (safe_path.h) and has the parts entries/, kernels/, headers/ and symbols/.
 * It is below XDG_CACHE_HOME or HOME, or, if that belongs to another user, below this user's own home. NULL: nothing
 * is cached, because of --disable-cache or because no directory is usable; a warning gives the reason once. */
const char *cache_dir_path(struct cache_dir *c);

#endif
