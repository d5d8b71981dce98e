/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The images of a run. */
#include "images.h"

#include <stdio.h>
#include <unistd.h>

#include "arch/arches.h"
#include "base/arena.h"
#include "base/util.h"
#include "source/cache_dir.h"
#include "source/target_host.h"

void images_open(struct images *images, struct arena *a, struct target_host *host, struct cache_dir *cache)
{
	*images = (struct images){ .arena = a, .host = host, .cache = cache };
	map_init(&images->programs, a);
	map_init(&images->inputs, a);
}

void images_close(struct images *images)
{
	for (size_t i = 0; i < images->programs.n; i++)
		debuginfo_close(images->programs.entries[i].value);
	if (images->kernel)
		debuginfo_close(images->kernel);
}

static void show_progress(void *data, const char *what)
{
	const struct images *images = data;

	if (isatty(2) && !images->is_quiet)
		fprintf(stderr, "tapc: %s ...\n", what);
}

static void show_fetched(void *data, size_t done, size_t total)
{
	struct images *images = data;

	if (!total)
		progress_end(&images->fetched);
	else if (!images->is_quiet)
		progress_bytes(&images->fetched, progress_kind(PROGRESS_NONE),
			       "fetching debug information from a debuginfod server", done, total);
}

static void note_input(void *data, const char *path)
{
	struct images *images = data;

	if (!map_get(&images->inputs, path))
		map_set(&images->inputs, arena_strdup(images->arena, path), images);
}

struct debuginfo_request images_request(struct images *images)
{
	const struct target_host *host = images->host;
	const char *cache = cache_dir_path(images->cache);

	return (struct debuginfo_request){
		.release = host->release, .sysroot = host->sysroot, .path = host->path,
		.arch = arch_find(host->machine),
		.is_running_kernel = host->is_running,
		.cache = cache ? arena_printf(images->arena, "%s/symbols", cache) : NULL,
		.progress = show_progress, .fetched = show_fetched, .progress_data = images,
		.uses = note_input, .uses_data = images,
	};
}

const struct arch *images_arch(const struct images *images)
{
	const struct arch *arch = arch_find(images->host->machine);

	return arch ? arch : arch_host();
}

struct debuginfo *images_kernel(struct images *images)
{
	if (!images->kernel) {
		struct debuginfo_request request = images_request(images);

		images->kernel = debuginfo_kernel(images->arena, &request);
	}
	return images->kernel;
}

/* A sysroot that was made for its kernel only may lack programs that are the same on this machine
 * and on the target; the module checks the build-id. */
struct debuginfo *images_program(struct images *images, const char *path)
{
	struct debuginfo *d = map_get(&images->programs, path);
	struct debuginfo_request request;

	if (d)
		return d;
	request = images_request(images);
	if (request.sysroot && !file_exists(arena_printf(images->arena, "%s%s", request.sysroot, path)))
		request.sysroot = NULL;
	request.is_running_kernel = false;
	d = debuginfo_program(images->arena, &request, path);
	map_set(&images->programs, path, d);
	return d;
}
