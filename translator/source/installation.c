/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds tapc's own files. A build tree has the file tapc-build-tree next to the program; its directory share/ has
 * the layout of an installation's data directory. */
#include "installation.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

/* The directory of the running program; NULL without /proc. */
static const char *own_dir(struct arena *a)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return arena_strdup(a, path);
}

/* The build tree that this program is in; NULL if it is installed. */
static const char *build_tree(struct arena *a)
{
	const char *own = own_dir(a);

	return own && file_exists(arena_printf(a, "%s/tapc-build-tree", own)) ? own : NULL;
}

static const char *data_dir(struct arena *a)
{
	const char *tree = build_tree(a), *own, *moved;

	if (tree)
		return arena_printf(a, "%s/share", tree);
	/* installed in another place than configured, for example with DESTDIR: prefer the files next to the program */
	own = own_dir(a);
	moved = own ? arena_printf(a, "%s/../share/tapc", own) : NULL;
	return moved && dir_exists(arena_printf(a, "%s/runtime", moved)) ? moved : TAPC_DATADIR;
}

const char *installation_dir(struct arena *a, const char *subdir)
{
	return arena_printf(a, "%s/%s", data_dir(a), subdir);
}

const char *installation_library(struct arena *a, const char *name)
{
	const char *tree = build_tree(a);

	return arena_printf(a, "%s/%s", tree ? tree : TAPC_LIBDIR, name);
}

const char *installation_program(struct arena *a, const char *name)
{
	const char *own = own_dir(a), *path;

	if (own) {
		path = arena_printf(a, "%s/%s", own, name);
		if (access(path, X_OK) == 0)
			return path;
		path = arena_printf(a, "%s/../sbin/%s", own, name);
		if (access(path, X_OK) == 0)
			return path;
	}
	path = arena_printf(a, "%s/%s", data_dir(a), name);
	return access(path, X_OK) == 0 ? path : path_find(a, name);
}
