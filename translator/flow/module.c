/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From C to the module, and what becomes of it. */
#include "module.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/util.h"
#include "build/headers.h"
#include "build/prepared.h"
#include "run/launch.h"
#include "staging/common/status.h"
#include "tools/module_key.h"

static bool open_cache(struct run *r)
{
	if (r->options.prepare != PREPARE_SYSTEM)
		return cache_open(&r->cache, &r->cache_dir, &r->options);
	prepared_open(&r->cache, &r->options, r->target.release);
	return true;
}

bool module_open(struct run *r)
{
	if (!r->build_tried)
		r->build_open = open_cache(r) &&
				kbuild_open(&r->kbuild, &r->options, &r->target, &r->cache);
	r->build_tried = true;		/* missing tools are reported once */
	return r->build_open;
}

const char *module_header_types(void *data, const char *headers, bool in_kernel, const char **reason)
{
	struct run *r = data;

	*reason = "there is nothing to compile headers with";
	return module_open(r) ? headers_object(&r->kbuild, headers, in_kernel, reason) : NULL;
}

bool module_is_wanted(const struct options *o)
{
	return o->last_pass >= 4 && !o->list && !o->list_variables && !o->dump && !o->simulate;
}

bool module_take(struct run *r)
{
	const char *paths;
	size_t size;

	/* the cost also depends on this machine's CPUs and on -s; the key has one text */
	if (r->more.n || r->options.keep || r->options.bound || r->options.max_cost || r->options.max_memory)
		return false;
	if (!module_key_of_script(&r->key, &r->options, &r->target, &r->kbuild, r->translation.script_name, r->text,
				  r->text_size))
		return false;
	r->script_key = cache_key_hex(r->arena, &r->key);
	paths = cache_get(&r->cache, r->script_key, &size);
	if (paths && (!size || !paths[size - 1]))
		r->image = cache_get(&r->cache, module_key_of_inputs(r->arena, r->script_key, paths, size),
				     &r->image_size);
	return r->image != NULL;
}

static void put_script(struct run *r)
{
	const struct map *inputs = &r->images.inputs;
	struct text paths;

	text_init(&paths, r->arena);
	for (size_t i = 0; i < inputs->n; i++)
		text_add_n(&paths, inputs->entries[i].key, strlen(inputs->entries[i].key) + 1);
	cache_put(&r->cache, r->script_key, paths.s, paths.n);
	cache_put(&r->cache, module_key_of_inputs(r->arena, r->script_key, paths.s, paths.n), r->image, r->image_size);
}

void module_keep_files(const struct run *r, const char *dir)
{
	if (r->options.keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", dir);
	else
		dir_remove(dir);
}

static char *build_image(struct run *r)
{
	struct module_source source = { r->code.s, r->embedded.n ? r->embedded.s : NULL };
	char *dir = safe_work_dir(r->arena), *image;

	if (!dir)
		return NULL;
	image = kbuild_module(&r->kbuild, &source, dir, &r->image_size);
	module_keep_files(r, dir);
	return image;
}

bool module_build(struct run *r)
{
	const char *key;

	module_key_of_code(&r->key, &r->options, &r->kbuild, &r->code, &r->embedded);
	key = cache_key_hex(r->arena, &r->key);
	if (!r->options.keep)
		r->image = cache_get(&r->cache, key, &r->image_size);
	r->cached = r->image != NULL;
	if (!r->image)
		r->image = build_image(r);
	if (!r->image)
		return false;
	if (!r->cached)
		cache_put(&r->cache, key, r->image, r->image_size);
	/* Not if there were messages, which would be missing the next time; nor if a name was looked up, which may
	 * resolve to another program the next time. */
	if (r->script_key && !r->translation.diag.warnings && !r->images.names_programs)
		put_script(r);
	return true;
}

/* "my-reads" for "dir/my-reads.stp", as part of a module's name; "" for a script without a file. */
static const char *name_of_script(struct run *r)
{
	enum { LONGEST = 32 };
	const char *file = r->options.script_file;
	char *name;

	if (!file || str_equal(file, "-"))
		return "";
	name = arena_strndup(r->arena, path_base(file), LONGEST);
	name[strcspn(name, ".")] = '\0';
	for (char *c = name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	return name;
}

/* The name for a session, made unique by the process ID; taprun also accepts the script's name alone. */
static const char *own_name(struct run *r)
{
	const char *script = name_of_script(r);

	if (r->options.module_name)
		return r->options.module_name;
	return *script ? arena_printf(r->arena, "tap_%s_%d", script, (int)getpid()) :
		arena_printf(r->arena, "tap_%.16s_%d", cache_key_hex(r->arena, &r->key), (int)getpid());
}

/* The name for a module that is kept: the same module has the same name. */
static const char *left_name(struct run *r)
{
	const char *script = name_of_script(r);
	struct cache_key key;

	if (r->options.module_name)
		return r->options.module_name;
	cache_key_init(&key);
	cache_key_add(&key, r->image, r->image_size);
	return arena_printf(r->arena, "tap_%s%s%.*s", script, *script ? "_" : "", *script ? 8 : 16,
			    cache_key_hex(r->arena, &key));
}

/* -p4: with -m the module is written to the current directory, otherwise to the cache, if there is one. */
int module_leave(struct run *r)
{
	const char *name = left_name(r), *path;
	size_t size;
	char *image = kbuild_finish(&r->kbuild, r->image, r->image_size, name, &size);

	if (!image)
		return TAP_STATUS_BUILD;
	path = r->options.module_name ? NULL : cache_module_path(&r->cache, name);
	path = path ? path : arena_printf(r->arena, "%s.ko", name);
	if (!file_write(path, image, size)) {
		error_print("cannot write %s: %s", path, strerror(errno));
		return TAP_STATUS_BUILD;
	}
	printf("%s\n", path);
	return TAP_STATUS_OK;
}

int module_launch(struct run *r)
{
	size_t size;
	char *image = kbuild_finish(&r->kbuild, r->image, r->image_size, own_name(r), &size);

	if (!image)
		return TAP_STATUS_BUILD;
	cache_close(&r->cache);
	if (r->image_fd)
		return fd_write(r->image_fd, image, size) ? TAP_STATUS_OK : TAP_STATUS_HOST;
	r->pass = 5;
	return launch_module(&r->options, image, size, r->target.release);
}
