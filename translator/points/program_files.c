/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files that a name in a point means: a path, a name in PATH or in the library
 * directories, a pattern, a build-id, the program of a process, or the program of -c or -x. Files
 * are looked up in the sysroot first, and the result is the path on the target machine. A file that
 * the sysroot lacks is looked up on this machine if both have the same architecture; but if the
 * sysroot is a whole system, names without a slash are looked up in the sysroot only. */
#include "program_files.h"

#include <ctype.h>
#include <elf.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arches.h"
#include "source/options.h"
#include "debuginfo/images.h"
#include "base/util.h"
#include "debuginfo/program/find.h"
#include "debuginfo/program/links.h"

static const char *without_sysroot(struct sites *sites, const char *path)
{
	const char *root = images_request(sites->images).sysroot;
	size_t n = root ? strlen(root) : 0;

	return n && !strncmp(path, root, n) && path[n] == '/' ? path + n : path;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The path as the kernel reports it: without links and dots. Exception: /proc/PID/root of a
 * container is a link to "/", and the files below it have no other path here. */
static const char *real_path(struct sites *sites, const char *path)
{
	char buffer[PATH_MAX];
	const char *real = realpath(path, buffer);

	return without_sysroot(sites, arena_strdup(sites->arena, real && is_same_file(real, path) ? real : path));
}

static bool read_header(const char *path, Elf64_Ehdr *h)
{
	FILE *f = fopen(path, "re");
	bool good = f && fread(h, 1, sizeof(*h), f) == sizeof(*h) && !memcmp(h->e_ident, ELFMAG, SELFMAG);

	if (f)
		fclose(f);
	return good;
}

static bool is_foreign(struct sites *sites, const Elf64_Ehdr *h)
{
	const struct arch *arch = arch_of_machine(h->e_machine);

	return arch && arch != images_request(sites->images).arch;
}

/* A file that is not a program at all is reported later, by the code that reads it. */
static bool is_of_other_machine(struct sites *sites, const char *path)
{
	Elf64_Ehdr h;

	return read_header(path, &h) && is_foreign(sites, &h);
}

/* A file may have several names (such as "/proc/PID/root/bin/sh" for each PID), but is probed once. */
struct file_identity {
	dev_t device;
	ino_t inode;
};
struct file_identities { VEC(struct file_identity) list; };

static bool is_new(struct sites *sites, struct file_identities *seen, const char *path)
{
	struct stat s;

	if (stat(path, &s))
		return false;
	vec_each(i, &seen->list)
		if (i->device == s.st_dev && i->inode == s.st_ino)
			return false;
	*vec_add(sites->arena, &seen->list) = (struct file_identity){ s.st_dev, s.st_ino };
	return true;
}

static void glob_paths(struct sites *sites, const char *pattern, program_files *out)
{
	struct file_identities seen = { 0 };
	glob_t found;
	Elf64_Ehdr h;

	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (read_header(found.gl_pathv[i], &h) && !is_foreign(sites, &h) &&
			    is_new(sites, &seen, found.gl_pathv[i]))
				*vec_add(sites->arena, out) = real_path(sites, found.gl_pathv[i]);
	globfree(&found);
}

static bool is_build_id(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return n >= 16 && n % 2 == 0;
}

static const char *path_of_build_id(struct sites *sites, const char *id)
{
	static const char *const forms[] = { "%s/usr/lib/debug/.build-id/%.2s/%s", "%s/usr/lib/.build-id/%.2s/%s" };
	const char *root = images_request(sites->images).sysroot, *roots[] = { root ? root : "", "" };

	for (size_t i = 0; i < ARRAY_SIZE(roots) * ARRAY_SIZE(forms); i++) {
		const char *path = arena_printf(sites->arena, forms[i % ARRAY_SIZE(forms)],
						roots[i / ARRAY_SIZE(forms)], id, id + 2);

		if (file_exists(path) && !is_of_other_machine(sites, path))
			return real_path(sites, path);
	}
	return NULL;
}

/* A sysroot that was made for its kernel only has no /etc. */
static bool is_whole_system(struct sites *sites, const char *root)
{
	return root && *root && file_exists(arena_printf(sites->arena, "%s/etc", root));
}

static const char *find_below(struct sites *sites, const struct debuginfo_request *request, const char *name,
			      bool is_library, const struct arch *arch)
{
	return is_library ? program_find_library(sites->arena, request, name, arch) :
			    program_find(sites->arena, request, name);
}

/* ARCH: the architecture of the program that uses the library; NULL: any that the kernel runs. */
static const char *find_file(struct sites *sites, const char *name, bool is_library, const struct arch *arch)
{
	struct debuginfo_request request = images_request(sites->images), here = { .arch = request.arch };
	bool is_relative = strchr(name, '/') && name[0] != '/';
	const char *path = is_relative ? NULL : find_below(sites, &request, name, is_library, arch);

	if (!path && (strchr(name, '/') || !is_whole_system(sites, request.sysroot)))
		path = find_below(sites, &here, name, is_library, arch);
	if (!path || (arch ? !program_is_of(path, arch) : is_of_other_machine(sites, path)))
		return NULL;
	return real_path(sites, path);
}

static void glob_files(struct sites *sites, const char *pattern, program_files *out)
{
	const char *root = images_request(sites->images).sysroot;

	size_t before = out->n;

	if (root && *root)
		glob_paths(sites, arena_printf(sites->arena, "%s%s", root, pattern), out);
	if (out->n == before)
		glob_paths(sites, pattern, out);
}

/* Scripts written for systems with lib and lib64 look for libraries in "/lib*". Debian has a
 * subdirectory for each architecture, and lib32 holds the libraries of another one. */
static void glob_multiarch(struct sites *sites, const char *pattern, program_files *out)
{
	const char *name = strrchr(pattern, '/');

	if (str_starts(pattern, "/lib") || str_starts(pattern, "/usr/lib"))
		glob_files(sites,
			   arena_printf(sites->arena, "%.*s/*-linux-gnu%s", (int)(name - pattern), pattern, name),
			   out);
}

static bool find_files(struct sites *sites, const char *name, bool is_library, const struct arch *arch,
		       program_files *out)
{
	const char *path;

	sites->images->names_programs = true;
	if (is_glob(name) && strchr(name, '/')) {
		glob_files(sites, name, out);
		glob_multiarch(sites, name, out);
		if (!out->n)
			sites_reason(sites, "no program matches '%s'", name);
		return out->n > 0;
	}
	path = find_file(sites, name, is_library, arch);
	if (!path && strstr(name, ".so"))
		path = find_file(sites, name, true, arch);
	if (!path && !is_library && !strchr(name, '/'))
		path = find_file(sites, arena_printf(sites->arena, "./%s", name), false, NULL);
	if (!path && !is_library && is_build_id(name)) {
		path = path_of_build_id(sites, name);
		if (!path) {
			sites_reason(sites, "no program with the build-id %s is installed with its debug symbols", name);
			return false;
		}
	}
	if (!path) {
		sites_reason(sites, strchr(name, '/') ? "there is no file '%s'" :
			     is_library || strstr(name, ".so") ? "no library '%s' in the library directories" :
			     "no program '%s' in PATH or in the current directory", name);
		if (images_request(sites->images).arch != arch_host())
			sites_reason(sites, "programs for another architecture must be in the directory of "
				     "--sysroot");
		return false;
	}
	*vec_add(sites->arena, out) = path;
	return true;
}

bool program_find_files(struct sites *sites, const char *name, bool is_library, program_files *out)
{
	return find_files(sites, name, is_library, NULL, out);
}

/* The path of the file that LINK of process PID points to; TEXT is what readlink returned. In a
 * container, TEXT is a different file here or does not exist; for a deleted file it does not
 * exist. LINK itself works in both cases. */
static const char *path_of_link(struct arena *a, int64_t pid, const char *text, const char *link)
{
	const char *inside = arena_printf(a, "/proc/%lld/root%s", (long long)pid, text);

	if (is_same_file(text, link))
		return arena_strdup(a, text);
	return is_same_file(inside, link) ? inside : link;
}

/* ---- the libraries that a program is linked with ---- */

/* Look up NAME in the library directories of the container that PROGRAM is in; NULL: it is in no
 * container, or the file does not exist. */
static const char *find_in_container(struct sites *sites, const char *program, const char *name,
				     const struct arch *arch)
{
	struct debuginfo_request inside = { .arch = images_request(sites->images).arch };
	int n = 0;

	sscanf(program, "/proc/%*d/root/%n", &n);
	if (!n)
		return NULL;
	inside.sysroot = arena_strndup(sites->arena, program, (size_t)n - 1);
	return program_find_library(sites->arena, &inside, name, arch);
}

static const char *in_folder(struct sites *sites, const char *folder, size_t size, const char *origin,
			     const char *name, const struct arch *arch)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	struct arena *a = sites->arena;
	const char *path = arena_printf(a, "%.*s/%s", (int)size, folder, name);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_starts(path, words[i]))
			path = arena_printf(a, "%.*s%s", (int)(strrchr(origin, '/') - origin), origin,
					    path + strlen(words[i]));
	return find_file(sites, path, true, arch);
}

/* Look up a library as ld.so(8) does: in the run path of the file that needs it, then in the
 * library directories. */
static const char *find_linked(struct sites *sites, const struct program_links *links, const char *origin,
			       const char *name)
{
	const struct arch *arch = debuginfo_arch(images_program(sites->images, origin));
	const char *found;
	size_t n;

	for (const char *p = links->path; p && *p && strchr(origin, '/'); p += n + (p[n] == ':')) {
		n = strcspn(p, ":");
		found = in_folder(sites, p, n, origin, name, arch);
		if (found)
			return found;
	}
	found = find_in_container(sites, origin, name, arch);
	return found ? found : find_file(sites, name, true, arch);
}

/* All libraries, each once: those of the program, then those that the libraries are linked with. */
static void find_all_linked(struct sites *sites, const char *program, program_files *all)
{
	*vec_add(sites->arena, all) = program;
	for (size_t i = 0; i < all->n; i++) {
		const char *file = all->items[i];
		struct program_links links;

		if (program_links(images_program(sites->images, file), &links) != DEBUGINFO_FOUND)
			continue;
		vec_each(name, &links.libraries) {
			const char *path = find_linked(sites, &links, file, *name);
			bool is_known = !path;

			for (size_t k = 0; k < all->n && !is_known; k++)
				is_known = str_equal(all->items[k], path);
			if (!is_known)
				*vec_add(sites->arena, all) = path;
		}
	}
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool find_linked_libraries(struct sites *sites, const char *program, const char *pattern, program_files *out)
{
	program_files all = { 0 };

	sites->images->names_programs = true;
	find_all_linked(sites, program, &all);
	for (size_t i = 1; i < all.n; i++)
		if (glob_match(pattern, file_name(all.items[i])))
			*vec_add(sites->arena, out) = all.items[i];
	if (!out->n)
		sites_reason(sites, "'%s' is linked with no library '%s'", program, pattern);
	return out->n > 0;
}

bool program_find_library_of(struct sites *sites, const char *program, const char *name, program_files *out)
{
	const struct arch *arch = debuginfo_arch(images_program(sites->images, program));
	const char *path;

	if (is_glob(name) && !strchr(name, '/'))
		return find_linked_libraries(sites, program, name, out);
	path = is_glob(name) ? NULL : find_in_container(sites, program, name, arch);
	if (path) {
		*vec_add(sites->arena, out) = path;
		return true;
	}
	return find_files(sites, name, true, strchr(name, '/') ? NULL : arch, out);
}

static bool find_pid(struct sites *sites, int64_t pid, program_files *out)
{
	const char *link = arena_printf(sites->arena, "/proc/%lld/exe", (long long)pid);
	char buffer[PATH_MAX];
	ssize_t n = readlink(link, buffer, sizeof(buffer) - 1);

	sites->images->names_programs = true;
	if (n < 0) {
		sites_reason(sites, access(arena_printf(sites->arena, "/proc/%lld", (long long)pid), F_OK) ?
			     "there is no process %lld" : "the program of process %lld cannot be read", (long long)pid);
		return false;
	}
	buffer[n] = '\0';
	*vec_add(sites->arena, out) = path_of_link(sites->arena, pid, buffer, link);
	return true;
}

static bool find_target(struct sites *sites, program_files *out)
{
	const struct options *o = sites->options;
	const char *command = o->command ? o->command + strspn(o->command, " \t") : NULL;

	if (command)
		return program_find_files(sites, arena_strndup(sites->arena, command, strcspn(command, " \t;&|<>()")),
					  false, out);
	if (o->pid)
		return find_pid(sites, strtoll(o->pid, NULL, 10), out);
	sites_reason(sites, "no process is named: use process(\"path\"), -c or -x");
	return false;
}

bool program_is_pid(struct sites *sites, int64_t pid)
{
	if (pid >= 1 && pid <= INT_MAX)
		return true;
	sites_reason(sites, "%lld is not a process ID", (long long)pid);
	return false;
}

bool program_find_process(struct sites *sites, const struct point_component *c, program_files *out)
{
	if (!c->has_argument)
		return find_target(sites, out);
	if (!c->is_string)
		return program_is_pid(sites, c->number) && find_pid(sites, c->number, out);
	return program_find_files(sites, c->text, false, out);
}
