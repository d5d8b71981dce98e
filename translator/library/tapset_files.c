/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the tapset files: *.stp and *.stpm below the directories of -I, below the user's own
 * ~/.config/tapc/tapsets, and the shipped ones. The first definition of a name wins. In each directory, the
 * subdirectories for the target's kernel release are therefore read before the directory itself, the most specific
 * release first:
 *
 *	6.1.0-56-amd64/x86_64  6.1.0-56-amd64  6.1.0/x86_64  6.1.0  6.1/x86_64  6.1  x86_64  .
 *
 * Subdirectories with other names are subjects and belong to the directory itself. In PATH/usr/bin/foo.stp, names of
 * programs are relative to /usr/bin. */
#include "tapset_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/installation.h"
#include "base/safe_path.h"
#include "source/target_host.h"
#include "source/options.h"
#include "base/util.h"

/* Is NAME a kernel release or an architecture? */
static bool is_of_some_target(const char *name)
{
	static const char *const machines[] = { "aarch64", "arm", "arm64", "i386", "ia64", "mips", "powerpc",
						"riscv", "s390", "x86_64" };

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (str_equal(name, machines[i]))
			return true;
	return isdigit((unsigned char)*name);
}

static bool read_dir(struct arena *a, const char *dir, name_list *out)
{
	DIR *d = opendir(dir);

	if (!d)
		return false;
	for (struct dirent *e; (e = readdir(d));) {
		char *path = arena_printf(a, "%s/%s", dir, e->d_name);

		if (e->d_name[0] == '.')
			continue;
		if (str_ends(path, ".stp") || str_ends(path, ".stpm"))
			*vec_add(a, out) = path;
		else if (dir_exists(path) && !is_of_some_target(e->d_name))
			read_dir(a, path, out);
	}
	closedir(d);
	return true;
}

static bool list_dir(struct arena *a, const char *dir, name_list *paths)
{
	size_t first = paths->n;

	if (!read_dir(a, dir, paths))
		return false;
	if (paths->n > first)
		names_sort(paths->items + first, paths->n - first);
	return true;
}

/* Shortens "6.1.0-56-amd64" to "6.1.0", then to "6.1"; then returns false. */
static bool shorten(char *release)
{
	char *end = strchr(release, '-');

	if (!end) {
		end = strrchr(release, '.');
		if (!end || strchr(release, '.') == end)
			return false;
	}
	*end = '\0';
	return true;
}

/* Lists DIR's files for the target, then those for all targets. */
static bool list_for_target(struct arena *a, const struct target_host *h, const char *dir, name_list *paths)
{
	const char *machine = h->machine;
	char *release = arena_strdup(a, h->release);

	do {
		list_dir(a, arena_printf(a, "%s/%s/%s", dir, release, machine), paths);
		list_dir(a, arena_printf(a, "%s/%s", dir, release), paths);
	} while (shorten(release));
	list_dir(a, arena_printf(a, "%s/%s", dir, machine), paths);
	return list_dir(a, dir, paths);
}

/* The user's own tapsets may contain C code without -g. If HOME is another user's, that user's tapsets must not reach
 * this user's kernel. */
static void list_own(struct arena *a, const struct target_host *h, name_list *paths)
{
	const char *own = path_config(a), *reason;
	const char *dir =
		own ? safe_dir(a, arena_printf(a, "%s/tapsets", own), SAFE_PRIVATE, &reason) : NULL;

	if (dir)
		list_for_target(a, h, dir, paths);
	else if (own && errno == EPERM)
		fprintf(stderr, "tapc: warning: the tapsets in '%s/tapsets' are not used: %s; use -I for another "
			"directory\n", own, reason);
}

/* The library that replaces the shipped one, and the VARIABLE that names it; NULL if none is set. The variables are
 * trusted, like TAPC_RUNTIME: the user who sets them for tapc is the user who runs it. */
static const char *other_library(const char **variable)
{
	static const char *const variables[] = { "TAPC_TAPSET", "SYSTEMTAP_TAPSET" };

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *dir = getenv(*variable = variables[i]);

		if (dir && *dir)
			return dir;
	}
	return NULL;
}

static bool list_shipped(struct arena *a, const struct target_host *h, name_list *paths)
{
	const char *shipped = installation_dir(a, "tapsets");

	if (list_for_target(a, h, shipped, paths))
		return true;
	error_print("cannot read the tapset folder '%s': %s; is the installation complete?", shipped,
		    strerror(errno));
	return false;
}

bool tapset_files(const struct options *o, const struct target_host *h, name_list *paths, size_t *of_user)
{
	const char *variable, *other = other_library(&variable);

	vec_each(dir, &o->tapset_dirs) {
		if (!list_for_target(o->arena, h, *dir, paths)) {
			error_print("cannot read the tapset folder '%s': %s", *dir, strerror(errno));
			return false;
		}
	}
	list_own(o->arena, h, paths);
	if (other && !list_for_target(o->arena, h, other, paths)) {
		error_print("cannot read the tapset folder '%s' of %s: %s", other, variable, strerror(errno));
		return false;
	}
	*of_user = paths->n;
	return other || list_shipped(o->arena, h, paths);
}

const char *tapset_program_folder(struct arena *a, const char *path)
{
	const char *folder = strstr(path, "/PATH/"), *end = strrchr(path, '/');

	if (!folder)
		return NULL;
	folder += strlen("/PATH");
	return arena_strndup(a, folder, (size_t)(end - folder));
}
