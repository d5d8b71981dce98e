/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from servers, by build-id: only if the user has set servers in DEBUGINFOD_URLS, as
 * for all debuginfod clients. libdebuginfod keeps downloads in its own cache. */
#include "debuginfod.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/util.h"
#include "staging/common/library.h"

#ifdef HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>

/* Linked, it would make every tapc load a dozen libraries. */
#define DEBUGINFOD(X) X(debuginfod_begin) X(debuginfod_end) X(debuginfod_find_debuginfo) \
	X(debuginfod_set_progressfn) X(debuginfod_set_user_data) X(debuginfod_get_user_data)
LIBRARY_LOADED(debuginfod, "libdebuginfod.so.1", DEBUGINFOD)

/* Called several times per second. TOTAL is 0 until the server has said how much it sends. */
static int report(debuginfod_client *client, long done, long total)
{
	struct debuginfo *d = debuginfod.debuginfod_get_user_data(client);

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
	client = debuginfod_load() ? debuginfod.debuginfod_begin() : NULL;
	if (!client) {
		*reason = arena_printf(d->arena, "%s; libdebuginfod cannot be loaded", *reason);
		return NULL;
	}
	debuginfod.debuginfod_set_user_data(client, d);
	debuginfod.debuginfod_set_progressfn(client, report);
	fd = debuginfod.debuginfod_find_debuginfo(client, id, (int)n, &path);
	if (d->request.fetched)
		d->request.fetched(d->request.progress_data, 0, 0);
	if (fd >= 0) {
		found = arena_strdup(d->arena, path);
		close(fd);
	} else {
		*reason = arena_printf(d->arena, "%s; debuginfod: %s", *reason, strerror(-fd));
	}
	free(path);
	debuginfod.debuginfod_end(client);
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
