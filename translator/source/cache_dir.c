/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the cache directory. After sudo -E or su -m, HOME is another user's: the modules that this user loads must not
 * come from a directory which that user can write to. */
#include "cache_dir.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/util.h"

/* The cache in this user's home according to the passwd database; NULL if the user is not in it. */
static const char *own_home(struct arena *a)
{
	const struct passwd *user = getpwuid(geteuid());

	return user && user->pw_dir[0] == '/' ? arena_printf(a, "%s/.cache/tapc", user->pw_dir) : NULL;
}

static void tell(const char *path, const char *reason, bool is_unsafe, const char *instead)
{
	fprintf(stderr, "tapc: warning: the cache '%s' is not used: %s; ", path, reason);
	if (instead)
		fprintf(stderr, "'%s' is used instead", instead);
	else
		fputs("nothing is kept for the next run", stderr);
	fputs(is_unsafe ? "; other users could change the modules in it: set XDG_CACHE_HOME to your own directory\n" :
			  "\n", stderr);
}

static const char *open_dir(struct arena *a, const char *path, const char **reason)
{
	const char *dir = safe_dir(a, path, SAFE_OWN, reason);

	if (!dir || access(dir, W_OK | X_OK) == 0)
		return dir;
	*reason = arena_printf(a, "'%s': %s", dir, strerror(errno));
	return NULL;
}

/* Opens PATH and all its parts. Each is checked: a part that exists already may belong to any user. */
static const char *open_cache(struct arena *a, const char *path, const char **reason)
{
	static const char *const parts[] = { "entries", "kernels", "headers", "symbols" };
	const char *dir = open_dir(a, path, reason);

	for (size_t i = 0; dir && i < ARRAY_SIZE(parts); i++)
		if (!open_dir(a, arena_printf(a, "%s/%s", dir, parts[i]), reason))
			return NULL;
	return dir;
}

static const char *find(struct arena *a)
{
	const char *named = path_cache(a), *own = own_home(a), *dir, *reason = NULL, *why_not_own;
	bool is_unsafe = false;

	if (named) {
		dir = open_cache(a, named, &reason);
		if (dir)
			return dir;
		is_unsafe = errno == EPERM;
	}
	dir = own && !str_same(own, named) ? open_cache(a, own, &why_not_own) : NULL;
	if (named)
		tell(named, reason, is_unsafe, dir);
	else if (!dir)
		fprintf(stderr, "tapc: warning: neither XDG_CACHE_HOME nor HOME is set; "
			"nothing is kept for the next run\n");
	return dir;
}

const char *cache_dir_path(struct cache_dir *c)
{
	if (c->is_disabled)
		return NULL;
	if (!c->is_tried)
		c->path = find(c->arena);
	c->is_tried = true;
	return c->path;
}
