/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from servers, by build-id: only if the user has set servers in DEBUGINFOD_URLS, as
 * for all debuginfod clients. libdebuginfod keeps downloads in its own cache. */
#include "debuginfod.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/util.h"

#ifdef HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>

/* Loaded on demand, because it needs a dozen libraries. */
static struct {
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_find_debuginfo) find;
	__typeof__(&debuginfod_set_progressfn) set_progress;
	__typeof__(&debuginfod_set_user_data) set_data;
	__typeof__(&debuginfod_get_user_data) get_data;
} library;

static bool load_library(void)
{
	static const struct { void *at; const char *name; } functions[] = {
		{ &library.begin, "debuginfod_begin" }, { &library.end, "debuginfod_end" },
		{ &library.find, "debuginfod_find_debuginfo" },
		{ &library.set_progress, "debuginfod_set_progressfn" },
		{ &library.set_data, "debuginfod_set_user_data" },
		{ &library.get_data, "debuginfod_get_user_data" },
	};
	void *handle = library.begin ? NULL : dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; handle && i < ARRAY_SIZE(functions); i++) {
		*(void **)functions[i].at = dlsym(handle, functions[i].name);
		if (!*(void **)functions[i].at)
			return false;
	}
	return library.begin != NULL;
}

/* Called several times per second. TOTAL is 0 until the server has said how much it sends. */
static int report(debuginfod_client *client, long done, long total)
{
	struct debuginfo *d = library.get_data(client);

	if (total > 0 && d->request.fetched)
		d->request.fetched(d->request.progress_data, (size_t)done, (size_t)total);
	return 0;
}

/* The library's download cache: see debuginfod_find_debuginfo(3). */
static const char *client_cache(struct arena *a)
{
	const char *named = getenv(DEBUGINFOD_CACHE_PATH_ENV_VAR), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	const char *old = home ? arena_printf(a, "%s/.debuginfod_client_cache", home) : NULL;

	if (named && *named)
		return named;
	if (old && dir_exists(old))
		return old;
	return xdg ? arena_printf(a, "%s/debuginfod_client", xdg) :
	       home ? arena_printf(a, "%s/.cache/debuginfod_client", home) : NULL;
}

/* A cache that another user can write to is not used: if HOME belongs to another user, use our own cache. */
static bool set_cache(struct debuginfo *d, const char **reason)
{
	const char *cache = client_cache(d->arena), *why = "HOME is not set";

	if (cache && safe_dir(d->arena, cache, SAFE_OWN, &why))
		return true;
	if (d->request.cache) {
		cache = arena_printf(d->arena, "%s/debuginfod", d->request.cache);
		if (safe_dir(d->arena, cache, SAFE_OWN, &why))
			return setenv(DEBUGINFOD_CACHE_PATH_ENV_VAR, cache, 1) == 0;
	}
	*reason = arena_printf(d->arena, "%s; debuginfod has no cache: %s", *reason, why);
	return false;
}

const char *debuginfod_path(struct debuginfo *d, const uint8_t *id, size_t n, const char **reason)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR), *found = NULL;
	debuginfod_client *client;
	char *path = NULL;
	int fd;

	if (!urls || !*urls || n > 64 || !set_cache(d, reason))
		return NULL;
	client = load_library() ? library.begin() : NULL;
	if (!client) {
		*reason = arena_printf(d->arena, "%s; libdebuginfod cannot be loaded", *reason);
		return NULL;
	}
	library.set_data(client, d);
	library.set_progress(client, report);
	fd = library.find(client, id, (int)n, &path);
	if (d->request.fetched)
		d->request.fetched(d->request.progress_data, 0, 0);
	if (fd >= 0) {
		found = arena_strdup(d->arena, path);
		close(fd);
	} else {
		*reason = arena_printf(d->arena, "%s; debuginfod: %s", *reason, strerror(-fd));
	}
	free(path);
	library.end(client);
	return found;
}
#else
const char *debuginfod_path(struct debuginfo *d, const uint8_t *id, size_t n, const char **reason)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	(void)id, (void)n;
	if (urls && *urls)
		*reason = arena_printf(d->arena, "%s; this tapc was built without debuginfod", *reason);
	return NULL;
}
#endif
