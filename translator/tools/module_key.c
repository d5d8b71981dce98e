/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of modules in the cache: everything that decides a module's bytes. */
#include "module_key.h"

#include <string.h>

#include "base/arena.h"
#include "build/cache.h"
#include "build/kbuild.h"
#include "source/options.h"
#include "library/tapset_files.h"
#include "source/target_host.h"
#include "base/text.h"
#include "base/util.h"

static void add_names(struct cache_key *k, const char *const *names, size_t n)
{
	cache_key_add(k, &n, sizeof(n));
	for (size_t i = 0; i < n; i++)
		cache_key_string(k, names[i]);
}

static void add_values(struct cache_key *k, const struct name_value *values, size_t n)
{
	cache_key_add(k, &n, sizeof(n));
	for (size_t i = 0; i < n; i++) {
		cache_key_string(k, values[i].name);
		cache_key_string(k, values[i].value);
	}
}

/* The options that decide a module besides its C. */
static void add_build(const struct options *o, struct cache_key *k)
{
	cache_key_string(k, PACKAGE_VERSION);
	add_values(k, o->defines.items, o->defines.n);
	add_names(k, o->kbuild_flags.items, o->kbuild_flags.n);
	add_names(k, o->modinfo.items, o->modinfo.n);
	cache_key_add(k, &o->kbuild, sizeof(o->kbuild));
	/* The signature of a module is no part of what is kept; that of the module tap_gate within it is. */
	if (o->sign_module)
		cache_key_stat(k, arena_printf(o->arena, "%s/signing_key.x509",
					       path_absolute(o->arena, o->sign_module)));
}

void module_key_of_code(struct cache_key *k, const struct options *o, struct kbuild *kb,
			const struct text *code, const struct text *embedded)
{
	cache_key_init(k);
	add_build(o, k);
	cache_key_string(k, kbuild_key(kb));
	cache_key_string(k, kb->target.build_id);
	cache_key_string(k, code->s);
	cache_key_string(k, embedded->n ? embedded->s : NULL);
}

/* The rows of MODULE's kind, by the table of options. */
static void add_rows(const struct options *o, struct cache_key *k, enum option_module module)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];
		const void *member = (const char *)o + row->member;

		if (row->module != module)
			continue;
		if (row->how == PUT_FLAG)
			cache_key_add(k, member, sizeof(bool));
		else if (row->how == PUT_LIST)
			add_names(k, ((const name_list *)member)->items, ((const name_list *)member)->n);
		else
			cache_key_string(k, *(const char *const *)member);
	}
}

/* Options of the run that are stored in the module if it is kept. */
static void add_kept(const struct options *o, struct arena *a, struct cache_key *k)
{
	add_rows(o, k, MODULE_KEPT);
	cache_key_add(k, &o->images.n, sizeof(o->images.n));
	vec_each(image, &o->images)
		cache_key_string(k, path_absolute(a, *image));
}

static void add_options(const struct options *o, struct arena *a, struct cache_key *k)
{
	/* Process probes without a name mean any process if neither -c nor -x is given. */
	const bool any_process = !o->command && !o->pid;

	add_rows(o, k, MODULE_SHAPES);
	cache_key_add(k, &any_process, sizeof(any_process));
	if (o->last_pass == 4)
		add_kept(o, a, k);
	cache_key_add(k, &o->max_cost, sizeof(o->max_cost));
	cache_key_add(k, &o->max_memory, sizeof(o->max_memory));
	cache_key_string(k, o->target_path);
	/* One module serves all values; but an option whose declaration a condition leaves out is refused. */
	cache_key_add(k, &o->script_options.n, sizeof(o->script_options.n));
	vec_each(given, &o->script_options) {
		cache_key_string(k, given->name);
		cache_key_string(k, options_set_at_start(o) ? NULL : given->value);
	}
	add_names(k, o->args.items, o->args.n);
	add_values(k, o->globals.items, o->globals.n);
}

/* The files from which the places of probes are read, as far as they are known without reading the script. */
static void add_target(const struct target_host *host, struct arena *a, struct cache_key *k)
{
	static const char *const files[] = { "boot/vmlinuz-%s", "boot/System.map-%s", "lib/modules/%s/modules.dep" };

	cache_key_string(k, host->sysroot);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = arena_printf(a, "%s/%.*s%s%s", host->sysroot,
						(int)strcspn(files[i], "%"), files[i], host->release,
						strchr(files[i], '%') + 2);

		cache_key_stat(k, path);
	}
}

bool module_key_of_script(struct cache_key *k, const struct options *o, const struct target_host *host,
			  const struct kbuild *kb, const char *name, const char *text, size_t size)
{
	name_list tapsets = { 0 };
	size_t of_user;

	if (!tapset_files(o, host, &tapsets, &of_user))
		return false;
	cache_key_init(k);
	add_build(o, k);
	kbuild_add_ages(kb, k);
	cache_key_string(k, kb->target.build_id);
	cache_key_stat(k, "/proc/self/exe");
	cache_key_string(k, name);
	cache_key_add(k, text, size);
	add_options(o, o->arena, k);
	add_target(host, o->arena, k);
	vec_each(path, &tapsets) {
		cache_key_string(k, *path);
		cache_key_stat(k, *path);
	}
	return true;
}

/* sysfs gives its files a new time whenever their inodes were evicted from memory. vmlinux belongs to the
 * kernel itself, whose build-id is in the key; modules are loaded and unloaded, but their files are small. */
static void add_kernel_file(struct arena *a, struct cache_key *k, const char *path)
{
	size_t size = 0;
	char *content = str_equal(path_base(path), "vmlinux") ? NULL : file_read(a, path, &size);

	cache_key_add(k, content ? content : "", content ? size : 0);
}

const char *module_key_of_inputs(struct arena *a, const char *script_key, const char *paths, size_t size)
{
	struct cache_key k;

	cache_key_init(&k);
	cache_key_string(&k, script_key);
	for (const char *path = paths; path < paths + size; path += strlen(path) + 1) {
		cache_key_string(&k, path);
		if (str_starts(path, "/sys/"))
			add_kernel_file(a, &k, path);
		else
			cache_key_stat(&k, path);
	}
	return cache_key_hex(a, &k);
}
