/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime, built once for a kernel.
 *
 * The sources and a stub in place of a script are built with the kernel's kbuild. The results that are kept are
 * the objects as an archive, the module's own object (mod.o, with modversions and struct module), the headers and
 * the commands (recipe.h). A script is then linked with these without kbuild.
 *
 * In the cache a template is the directory kernels/KEY. It is made as kernels/.tmp-KEY-XXXXXX by the holder of
 * the lock kernels/KEY.lock and renamed when complete, so another run waits instead of building it twice, and the
 * next holder of the lock may remove what a killed run left. A manifest with sizes and hashes detects damage.
 *
 * At first only what the first script needs is compiled, see parts.c. kbuild's directory is kept as kernels/KEY.build
 * until everything is compiled: for a script that needs more, kbuild continues there, and the result replaces the
 * template, of which it has everything. So a run that is using the template can go on. The file "clean" in
 * KEY.build says that nothing in there is incomplete.
 *
 * What root has built for all users (prepared.h) is used if the user's own cache has none, or one that lacks
 * something. */
#include "template.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "kernel_target.h"
#include "manifest.h"
#include "prepared.h"
#include "template_build.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"

/* --- sources and key ----------------------------------------------------------------------- */

static bool is_header(const char *name)
{
	return str_ends(name, ".h") || str_ends(name, ".def");
}

static bool is_source(const char *name)
{
	return str_ends(name, ".c") || is_header(name) || str_equal(name, "Kbuild");
}

static void find_sources(struct template *tp, const char *root, const char *below)
{
	struct arena *a = tp->arena;
	DIR *d = opendir(arena_printf(a, "%s/%s", root, below));

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		const char *name = arena_printf(a, "%s/%s", below, e->d_name);
		const char *path = arena_printf(a, "%s/%s", root, name);

		if (is_source(e->d_name))
			*vec_add(a, &tp->sources) = (struct template_source){ .name = name, .path = path };
		else if (e->d_name[0] != '.' && dir_exists(path))
			find_sources(tp, root, name);
	}
	closedir(d);
}

static int compare_sources(const void *a, const void *b)
{
	return strcmp(((const struct template_source *)a)->name,
		      ((const struct template_source *)b)->name);
}

/* /bin and /usr/bin may be one directory: scripts of packages have another PATH than users. The program may be a link
 * to ccache, which is the same file for all compilers, so its name is kept. */
static const char *in_real_dir(struct arena *a, const char *path)
{
	const char *name = path_base(path);
	_cleanup_free_ char *dir = realpath(arena_printf(a, "%.*s.", (int)(name - path), path), NULL);

	return dir ? arena_printf(a, "%s/%s", dir, name) : path;
}

/* The part of a key that depends on the kernel. All of it is in the headers: a kernel need not run to be prepared. */
static void add_target(const struct template *tp, struct cache_key *key)
{
	const struct kernel_target *k = tp->target;
	struct arena *a = tp->arena;
	const char *release = file_read(a, arena_printf(a, "%s/include/generated/utsrelease.h",
							k->build), NULL);

	cache_key_string(key, TEMPLATE_FORMAT);
	cache_key_string(key, k->release);
	cache_key_string(key, k->build);
	cache_key_string(key, k->arch);
	cache_key_string(key, k->config);
	cache_key_string(key, release);
	cache_key_age(key, arena_printf(a, "%s/Module.symvers", k->build));
	cache_key_age(key, in_real_dir(a, k->compiler_path));
	for (size_t i = 0; i < k->make_args.n; i++)
		cache_key_string(key, k->make_args.items[i]);
}

void template_add_ages(const struct template *tp, struct cache_key *k)
{
	add_target(tp, k);
	vec_each(s, &tp->sources)
		if (s->path)
			cache_key_age(k, s->path);
}

const char *template_key(struct template *tp)
{
	struct arena *a = tp->arena;
	struct cache_key key;

	if (tp->key)
		return tp->key;
	cache_key_init(&key);
	add_target(tp, &key);
	vec_each(s, &tp->sources) {
		s->text = file_read(a, s->path, &s->size);
		cache_key_string(&key, s->name);
		cache_key_add(&key, s->text ? s->text : "", s->text ? s->size : 0);
	}
	parts_add_units(a, &tp->sources);
	tp->key = cache_key_hex(a, &key);
	tp->own = tp->dir = arena_printf(a, "%s/kernels/%s", tp->cache->root, tp->key);
	return tp->key;
}

bool template_open(struct template *tp, const struct options *o, struct cache *c,
		   const struct kernel_target *target, const char *runtime_dir)
{
	static const char *const parts[] = { "abi", "core", "kernel", "tapsets" };

	*tp = (struct template){ .arena = c->arena, .options = o, .cache = c, .target = target };
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t before = tp->sources.n;

		find_sources(tp, runtime_dir, parts[i]);
		if (tp->sources.n == before)
			return build_error("the runtime's sources are not in %s/%s: reinstall tapc, or name "
					"their directory with -R", runtime_dir, parts[i]);
	}
	if (!parts_source(&tp->sources, "kernel/Kbuild") || !parts_source(&tp->sources, "kernel/main.c"))
		return build_error("the runtime's sources are not in %s: reinstall tapc, or name "
				"their directory with -R", runtime_dir);
	qsort(tp->sources.items, tp->sources.n, sizeof(*tp->sources.items), compare_sources);
	return true;
}

const char *template_file(const struct template *tp, const char *name)
{
	return arena_printf(tp->arena, "%s/%s", tp->dir, name);
}

/* --- loading -------------------------------------------------------------------------------- */

/* The parts: lines like those of the manifest, of objects in kbuild's directory. */
static void load_parts(struct template *tp, char *text)
{
	map_init(&tp->parts, tp->arena);
	for (char *line; text && (line = strsep(&text, "\n")) && *line;)
		map_set(&tp->parts, strrchr(line, ' ') + 1, line);
}

/* Read an existing template; false if it does not exist or is damaged. Only the holder of the lock
 * reports damage: without the lock, another run may be rebuilding it. */
static bool template_load(struct template *tp, bool locked)
{
	struct arena *a = tp->arena;
	char *symbols, *parts, *commands;

	if (!dir_exists(tp->dir))
		return false;
	symbols = manifest_is_sound(a, tp->dir, TEMPLATE_FORMAT) ?
		  file_read(a, template_file(tp, "symbols"), NULL) : NULL;
	parts = symbols ? file_read(a, template_file(tp, "parts"), NULL) : NULL;
	if (!parts) {
		if (locked && options_verbose(tp->options, 4))
			fprintf(stderr, "tapc: note: %s is damaged and is rebuilt\n", tp->dir);
		return false;
	}
	map_init(&tp->symbols, a);
	for (char *name; (name = strsep(&symbols, "\n")) && *name;)
		map_set(&tp->symbols, name, name);
	load_parts(tp, parts);
	commands = file_read(a, template_file(tp, "recipe"), NULL);
	tp->replay = commands && recipe_read(&tp->recipe, a, commands);
	tp->has_common = file_exists(template_file(tp, "module-common.o"));
	utimensat(AT_FDCWD, template_file(tp, "manifest"), NULL, 0);
	tp->ready = true;
	return true;
}

/* --- the directory of templates ------------------------------------------------------------- */

/* Left by a killed run, or not used for a month (for an older runtime or a kernel that was removed). Those for all
 * users are of this kernel; others than this one are of an older tapc or of headers that were replaced. */
static bool is_stale(struct template *tp, const char *name)
{
	const char *dir = arena_printf(tp->arena, "%s/kernels/%s", tp->cache->root, name);
	struct stat st;

	if (str_starts(name, ".tmp-") || tp->cache->is_shared)
		return true;
	return stat(arena_printf(tp->arena, "%s/manifest", dir), &st) < 0 ||
	       st.st_mtim.tv_sec + 30 * 86400 < time(NULL);
}

static void remove_stale(struct template *tp)
{
	const char *path = arena_printf(tp->arena, "%s/kernels", tp->cache->root);
	DIR *d = opendir(path);

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		const char *name = e->d_name;
		bool is_build = str_ends(name, ".build");
		const char *key = str_starts(name, ".tmp-") ? name + 5 : arena_strndup(tp->arena, name, 32);
		const char *stale = arena_printf(tp->arena, "%s/%s", path, name);
		bool ours = strncmp(key, tp->key, 32) == 0;
		int held = -1;

		if (strlen(key) < 32 || str_ends(name, ".lock") || str_equal(key, tp->key) ||
		    !is_stale(tp, is_build ? key : name))
			continue;
		/* this run already holds its own lock */
		if (!ours && (held = cache_lock(tp->cache, key, false)) < 0)
			continue;
		dir_remove(stale);
		cache_unlock(tp->cache, key, held);
	}
	closedir(d);
}

static int lock_or_wait(struct template *tp)
{
	int fd = cache_lock(tp->cache, tp->key, false);

	if (fd >= 0 || errno != EWOULDBLOCK)
		return fd;
	if (options_verbose(tp->options, 4) || isatty(2))
		fprintf(stderr, "tapc: waiting for another tapc that is building the runtime for kernel %s "
			"...\n", tp->target->release);
	return cache_lock(tp->cache, tp->key, true);
}

static bool has_parts(const struct template *tp, const struct map *needed)
{
	for (size_t i = 0; i < needed->n; i++)
		if (!map_get(&tp->parts, needed->entries[i].key))
			return false;
	return true;
}

/* Read the one that root has built for all users: it has everything. */
static bool load_prepared(struct template *tp)
{
	bool is_tried = tp->dir != tp->own || tp->cache->poison || tp->cache->is_shared || tp->options->disable_cache;
	const char *found = is_tried ? NULL : prepared_find(tp->options, tp->target->release, tp->key);

	if (!found)
		return false;
	tp->dir = found;
	if (!template_load(tp, false)) {
		tp->dir = tp->own;
		return prepared_not_used(tp->options, found, "a file is damaged, or other users can write to it");
	}
	if (options_verbose(tp->options, 4))
		fprintf(stderr, "tapc: note: the runtime for kernel %s is in %s\n", tp->target->release, found);
	return true;
}

/* The caller holds the lock. */
static bool template_make(struct template *tp, struct map *needed)
{
	tp->dir = tp->own;
	/* Another run may have built it while this one waited. */
	tp->ready = (tp->ready || !tp->cache->poison) && template_load(tp, true);
	if (tp->ready && has_parts(tp, needed))
		return true;
	for (size_t i = 0; tp->ready && i < tp->parts.n; i++)
		map_set(needed, tp->parts.entries[i].key, tp);
	remove_stale(tp);
	if (!template_build(tp, needed))
		return false;
	return template_load(tp, true) ||
	       build_error("the runtime just built in %s cannot be read", tp->dir);
}

bool template_prepare(struct template *tp, const char *script)
{
	template_key(tp);
	return tp->ready || (!tp->cache->poison && template_load(tp, false)) || template_extend(tp, script);
}

bool template_extend(struct template *tp, const char *names)
{
	struct map needed;
	bool made;
	int held;

	map_init(&needed, tp->arena);
	if (names)
		parts_of_script(&needed, &tp->sources, names);
	else
		parts_all(&needed, &tp->sources);
	if ((tp->ready && has_parts(tp, &needed)) || (load_prepared(tp) && has_parts(tp, &needed)))
		return true;
	held = lock_or_wait(tp);
	if (held < 0)
		return build_error("cannot lock %s.lock: %s", tp->own, strerror(errno));
	made = template_make(tp, &needed);
	cache_unlock(tp->cache, tp->key, held);
	return made;
}
