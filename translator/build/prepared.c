/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtimes that root has built for all users. */
#include "prepared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache.h"
#include "kernel_target.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/util.h"

static const char *prepared_path(struct arena *a, const char *release)
{
	const char *named = getenv("TAPC_PREPARED");

	return arena_printf(a, "%s/%s", named && *named ? named : TAPC_STATEDIR "/cache/tapc/prepared", release);
}

void prepared_open(struct cache *c, const struct options *o, const char *release)
{
	*c = (struct cache){ .arena = o->arena, .poison = o->poison_cache, .verbose = options_verbose(o, 4),
			     .root = prepared_path(o->arena, release), .is_shared = true };
}

bool prepared_make(struct cache *c)
{
	const char *kernels = arena_printf(c->arena, "%s/kernels", c->root), *root, *reason;

	umask(022);
	if (!dir_make(kernels, 0755))
		return build_error("cannot write %s: %s", kernels, strerror(errno));
	root = safe_dir(c->arena, c->root, SAFE_PRIVATE, &reason);
	if (!root || !safe_dir(c->arena, kernels, SAFE_PRIVATE, &reason))
		return build_error("the runtime is not built for all users: %s", reason);
	c->root = root;
	return true;
}

const char *prepared_find(const struct options *o, const char *release, const char *key)
{
	struct arena *a = o->arena;
	const char *path = arena_printf(a, "%s/kernels/%s", prepared_path(a, release), key), *reason;
	const char *dir = safe_dir(a, path, SAFE_PRIVATE, &reason);

	if (!dir && errno != ENOENT)
		prepared_not_used(o, path, reason);
	return dir;
}

bool prepared_not_used(const struct options *o, const char *dir, const char *reason)
{
	if (options_verbose(o, 4))
		fprintf(stderr, "tapc: note: the runtime in %s is not used: %s\n", dir, reason);
	return false;
}
