/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules: their names, the paths of their files, and modules that are loaded without a file. */
#include "module.h"

#include <dirent.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/handle.h"
#include "base/map.h"
#include "base/util.h"
#include "kallsyms.h"

/* The module's name: from "kernel/net/9p/9pnet-virtio.ko.xz" it is "9pnet_virtio"; NULL if PATH
 * (LENGTH bytes) is not a module. */
static const char *name_of_path(struct arena *a, const char *path, size_t length)
{
	const char *slash = memrchr(path, '/', length), *start = slash ? slash + 1 : path;
	const char *end = memmem(start, (size_t)(path + length - start), ".ko", 3);
	char *name;

	if (!end || end == start || (end[3] != '.' && end + 3 != path + length))
		return NULL;
	name = arena_strndup(a, start, (size_t)(end - start));
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

const char *module_name_of_path(struct arena *a, const char *path)
{
	return name_of_path(a, path, strlen(path));
}

/* A module that a script names by its path may be outside of the sysroot. */
const char *module_target_path(const struct debuginfo *d)
{
	return str_starts(d->path, d->request.sysroot) ? d->path + strlen(d->request.sysroot) : d->path;
}

static const char *modules_dir(struct debuginfo *d)
{
	static const char *const places[] = { "/lib/modules", "/usr/lib/modules" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const char *dir = arena_printf(d->arena, "%s%s/%s", d->request.sysroot, places[i],
					       d->request.release);

		if (dir_exists(dir))
			return dir;
	}
	return NULL;
}

struct module_file {
	const char *name, *path;
};

struct module_files { VEC(struct module_file) list; };

static void add_file(struct arena *a, struct module_files *files, const char *path)
{
	const char *name = name_of_path(a, path, strlen(path));

	if (name)
		*vec_add(a, &files->list) = (struct module_file){ name, path };
}

/* Paths in modules.dep are relative to DIR, except those of modules that are elsewhere. */
static const char *path_in(struct arena *a, const char *dir, const char *path, size_t length)
{
	return path[0] == '/' ? arena_strndup(a, path, length) :
				arena_printf(a, "%s/%.*s", dir, (int)length, path);
}

/* Read once; NULL: it does not exist. */
static const char *modules_dep(struct debuginfo *kernel, const char *dir)
{
	if (!kernel->modules_dep) {
		kernel->modules_dep = file_read(kernel->arena,
						arena_printf(kernel->arena, "%s/modules.dep", dir), NULL);
		if (!kernel->modules_dep)
			kernel->modules_dep = "";
	}
	return kernel->modules_dep;
}

/* "kernel/fs/xfs/xfs.ko.xz: kernel/lib/libcrc32c.ko.xz" */
static bool read_dep(struct debuginfo *kernel, const char *dir, struct module_files *files)
{
	struct arena *a = kernel->arena;
	const char *text = modules_dep(kernel, dir);

	for (const char *p = text ? text : ""; *p;) {
		size_t length = strcspn(p, ":\n");

		add_file(a, files, path_in(a, dir, p, length));
		p = strchrnul(p, '\n');
		p += *p == '\n';
	}
	return files->list.n > 0;
}

static int compare_entries(const FTSENT **x, const FTSENT **y)
{
	return strcmp((*x)->fts_name, (*y)->fts_name);
}

/* Without depmod's list: all module files. As with depmod, a file outside of kernel/ takes precedence. */
static void scan_files(struct arena *a, const char *dir, struct module_files *files)
{
	char *roots[] = { arena_strdup(a, dir), NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);

	for (FTSENT *e; tree && (e = fts_read(tree));) {
		if (e->fts_level == 1 && e->fts_info == FTS_D &&
		    (str_equal(e->fts_name, "build") || str_equal(e->fts_name, "source")))
			fts_set(tree, e, FTS_SKIP);
		if (e->fts_info == FTS_F)
			add_file(a, files, arena_strdup(a, e->fts_path));
	}
	if (tree)
		fts_close(tree);
}

/* The files of all modules; cached, because a script may use many. */
static const struct module_files *module_files(struct debuginfo *kernel)
{
	struct module_files *files = kernel->module_files;
	const char *dir;

	if (files)
		return files;
	dir = modules_dir(kernel);
	kernel->module_files = files = arena_new(kernel->arena, struct module_files);
	if (dir && !read_dep(kernel, dir, files))
		scan_files(kernel->arena, dir, files);
	return files;
}

static bool is_name_char(char a, char b)
{
	return a == b || (a == '-' && b == '_');
}

/* Does PATH (LENGTH bytes) end in "/NAME.ko" or "/NAME.ko.xz"? */
static bool is_path_of(const char *path, size_t length, const char *name)
{
	const char *slash = memrchr(path, '/', length), *p = slash ? slash + 1 : path;
	const char *end = path + length;

	while (*name && p < end && is_name_char(*p, *name))
		p++, name++;
	return !*name && end - p >= 3 && memcmp(p, ".ko", 3) == 0 && (end - p == 3 || p[3] == '.');
}

/* Search modules.dep directly: the list of all modules is only needed for wildcards. */
static const char *file_of(struct debuginfo *kernel, const char *name)
{
	struct arena *a = kernel->arena;
	const char *dir = modules_dir(kernel), *found = NULL;
	const char *text = dir ? modules_dep(kernel, dir) : NULL;
	const struct module_files *files;

	for (const char *p = text ? text : ""; *p;) {
		size_t length = strcspn(p, ":\n");

		if (is_path_of(p, length, name))
			return path_in(a, dir, p, length);
		p = strchrnul(p, '\n');
		p += *p == '\n';
	}
	if (text && *text)
		return NULL;
	files = module_files(kernel);
	vec_each (f, &files->list)
		if (str_equal(f->name, name) && (!found || strstr(found, "/kernel/")))
			found = f->path;
	return found;
}

/* Loaded and not built in: built-in modules do not have this file. */
static bool is_loaded(struct debuginfo *d, const char *name)
{
	return d->request.is_running_kernel && !strchr(name, '/') &&
	       file_exists(arena_printf(d->arena, "%s/sys/module/%s/initstate", d->request.sysroot, name));
}

/* The first module that matches PATTERN and is a part of the kernel, or NULL. */
static const char *builtin_module(struct debuginfo *kernel, const char *dir, const char *pattern)
{
	const char *text = file_read(kernel->arena, arena_printf(kernel->arena, "%s/modules.builtin", dir), NULL);

	for (const char *p = text ? text : ""; *p;) {
		size_t length = strcspn(p, "\n");
		const char *name = name_of_path(kernel->arena, p, length);

		if (name && glob_match(pattern, name))
			return name;
		p += length + (p[length] == '\n');
	}
	return NULL;
}

/* Why no module matches PATTERN. */
static const char *why_not(struct debuginfo *d, const char *pattern)
{
	struct arena *a = d->arena;
	const char *dir = modules_dir(d), *builtin = dir ? builtin_module(d, dir, pattern) : NULL;

	if (!dir)
		return arena_printf(a, "there are no modules of kernel %s: %s/lib/modules/%s is missing",
				    d->request.release, d->request.sysroot, d->request.release);
	if (builtin)
		return arena_printf(a, "'%s' is built into the kernel: use kernel instead of module()", builtin);
	return arena_printf(a, "kernel %s has no module '%s'", d->request.release, pattern);
}

enum debuginfo_answer module_locate(struct debuginfo *d, const char **reason)
{
	if (!d->path)
		d->path = file_of(d->kernel, d->module);
	if (d->path)
		debuginfo_uses(d, d->path);
	if (d->path || is_loaded(d, d->module))
		return DEBUGINFO_FOUND;
	*reason = why_not(d, d->module);
	return DEBUGINFO_ABSENT;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_loaded(struct debuginfo *kernel, struct map *names)
{
	DIR *dir = kernel->request.is_running_kernel ?
			   opendir(arena_printf(kernel->arena, "%s/sys/module", kernel->request.sysroot)) :
			   NULL;

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] != '.' && is_loaded(kernel, e->d_name))
			map_set(names, arena_strdup(kernel->arena, e->d_name), names);
	if (dir)
		closedir(dir);
}

/* The names of all modules; cached. */
static const struct map *module_names(struct debuginfo *kernel)
{
	const struct module_files *files = module_files(kernel);

	if (kernel->module_names)
		return kernel->module_names;
	kernel->module_names = arena_new(kernel->arena, struct map);
	map_init(kernel->module_names, kernel->arena);
	vec_each (f, &files->list)
		map_set(kernel->module_names, f->name, kernel);
	add_loaded(kernel, kernel->module_names);
	return kernel->module_names;
}

enum debuginfo_answer module_list(struct debuginfo *kernel, const char *pattern,
				  struct module_names *found, const char **reason)
{
	size_t before = found->list.n;
	const struct map *names;

	if (strchr(pattern, '/')) {
		*reason = arena_printf(kernel->arena, "there is no module file '%s' (its name must end in .ko)",
				       pattern);
		if (!debuginfo_uses(kernel, pattern) || !module_name_of_path(kernel->arena, pattern))
			return DEBUGINFO_ABSENT;
		*vec_add(kernel->arena, &found->list) = pattern;
		return DEBUGINFO_FOUND;
	}
	names = module_names(kernel);
	for (size_t i = 0; i < names->n; i++)
		if (glob_match(pattern, names->entries[i].key))
			*vec_add(kernel->arena, &found->list) = names->entries[i].key;
	if (found->list.n > before) {
		qsort(found->list.items + before, found->list.n - before, sizeof(*found->list.items),
		      compare_names);
		return DEBUGINFO_FOUND;
	}
	*reason = names->n ? why_not(kernel, pattern) :
			    arena_printf(kernel->arena, "there are no modules of kernel %s: "
					 "%s/lib/modules/%s has none", kernel->request.release,
					 kernel->request.sysroot, kernel->request.release);
	return DEBUGINFO_ABSENT;
}

/* ---- loaded modules ---- */

struct loaded_section {
	const char *name;
	uint64_t start;
};

struct loaded_sections { VEC(struct loaded_section) list; };

static int compare_starts(const void *a, const void *b)
{
	const struct loaded_section *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* /sys/module/NAME/sections/: one file per section with its address, readable by root. */
static void read_sections(struct arena *a, const char *path, struct loaded_sections *sections)
{
	DIR *dir = opendir(path);

	for (struct dirent *e; dir && (e = readdir(dir));) {
		const char *text = e->d_type == DT_DIR ? NULL :
				   file_read(a, arena_printf(a, "%s/%s", path, e->d_name), NULL);
		uint64_t start = text ? strtoull(text, NULL, 16) : 0;

		if (start && sections->list.n < SYMBOL_SECTIONS)
			*vec_add(a, &sections->list) =
				(struct loaded_section){ arena_strdup(a, e->d_name), start };
	}
	if (dir)
		closedir(dir);
	if (sections->list.n)
		qsort(sections->list.items, sections->list.n, sizeof(*sections->list.items),
		      compare_starts);
}

static void place_in_section(struct symbol_list *l, struct raw_symbol *s,
			     const struct loaded_sections *sections)
{
	size_t in = 0;

	while (in < sections->list.n && sections->list.items[in].start <= s->address)
		in++;
	s->flags = strchr("tTwW", s->letter) ? SYMBOL_FUNCTION : SYMBOL_DATA;
	s->obstacle = s->flags & SYMBOL_FUNCTION ? OBSTACLE_NONE : OBSTACLE_DATA;
	if (strchr("TWVDBR", s->letter))
		s->flags |= SYMBOL_GLOBAL;
	if (!in || s->address - sections->list.items[in - 1].start > UINT32_MAX) {
		s->flags = SYMBOL_ABSOLUTE;
		return;
	}
	in--;
	if (str_starts(l->sections[in], ".init.text"))
		s->obstacle = OBSTACLE_INIT;
	if (str_starts(l->sections[in], ".noinstr.text"))
		s->obstacle = OBSTACLE_NOINSTR;
	s->address = SECTION_PLACE(in, s->address - sections->list.items[in].start);
}

enum debuginfo_answer loaded_module_symbols(const char *root, const char *name,
					    struct symbol_list *l, const char **reason)
{
	struct arena *a = l->arena;
	const char *module = arena_printf(a, "%s/sys/module/%s", root, name);
	const char *text = file_read(a, arena_printf(a, "%s/proc/kallsyms", root), NULL);
	const char *notes;
	const uint8_t *id = NULL;
	struct loaded_sections sections = { 0 };
	enum debuginfo_answer found;
	size_t size;

	found = text ? kallsyms_parse(text, name, l, reason) : DEBUGINFO_ABSENT;
	if (found != DEBUGINFO_FOUND) {
		*reason = arena_printf(a, "/proc/kallsyms: %s", text ? *reason : "cannot be read");
		return found;
	}
	read_sections(a, arena_printf(a, "%s/sections", module), &sections);
	if (!sections.list.n) {
		*reason = arena_printf(a, "%s/sections: only root can read the addresses", module);
		return DEBUGINFO_ABSENT;
	}
	vec_each (s, &sections.list)
		l->sections[l->section_count++] = s->name;
	vec_each (s, &l->symbols)
		place_in_section(l, s, &sections);
	symtab_classify_module(l);
	notes = file_read(a, arena_printf(a, "%s/notes/.note.gnu.build-id", module), &size);
	if (notes)
		size = notes_build_id(&(struct bytes){ (const uint8_t *)notes, size, 0 }, &id);
	symbol_list_build_id(l, id, notes ? size : 0);
	return DEBUGINFO_FOUND;
}
