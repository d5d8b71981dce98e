/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "<linux/fs.h><linux/mm.h>" -> an object whose debug information has all types that these headers
 * declare, including those that no code uses. */
#include "headers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache.h"
#include "kbuild.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "source/options.h"
#include "base/util.h"

/* Turn one or more of "<a.h>" and "\"a.h\"" into #include lines; NULL: HEADERS is something else. */
static const char *source_of(struct arena *a, const char *headers)
{
	struct text out;

	text_init(&out, a);
	while (*headers) {
		char end = *headers == '<' ? '>' : *headers == '"' ? '"' : 0;
		const char *last = end ? strchr(headers + 1, end) : NULL;

		if (!last || last == headers + 1 || memchr(headers, '\n', (size_t)(last - headers)))
			return NULL;
		text_printf(&out, "#include %.*s\n", (int)(last + 1 - headers), headers);
		headers = last + 1;
	}
	return out.s;
}

/* The compiler's first error. */
static const char *complaint(struct arena *a, const char *output)
{
	const char *error = strstr(output, "error: ");

	error = error ? error + strlen("error: ") : output;
	return arena_printf(a, "%.*s", (int)strcspn(error, "\n"), error);
}

static bool compile(struct kbuild *kb, const char *text, const char *dir, bool in_kernel, const char **object,
		    char **output)
{
	struct arena *a = kb->arena;
	const char *source = arena_printf(a, "%s/types.c", dir);
	struct command c = { .capture = true };

	if (in_kernel)
		return kbuild_types(kb, text, dir, object, output);
	*object = arena_printf(a, "%s/types.o", dir);
	c.argv = (const char *const[]){ "cc", "-g", "-fno-eliminate-unused-debug-types", "-c", "-o", *object,
					source, NULL };
	if (!file_write(source, text, strlen(text)) || command_run(a, &c) < 0)
		*output = strerror(errno);
	else
		*output = c.output;
	return file_exists(*object);
}

static const char *object_path(struct kbuild *kb, const char *source, bool in_kernel)
{
	struct cache_key k;

	cache_key_init(&k);
	cache_key_string(&k, in_kernel ? kbuild_key(kb) : NULL);
	cache_key_string(&k, source);
	return arena_printf(kb->arena, "%s/headers/%s.ko", kb->cache->root, cache_key_hex(kb->arena, &k));
}

/* Does the file exist, and can no other user have written it? */
static bool is_ours(struct kbuild *kb, const char *path)
{
	_cleanup_close_ int fd = safe_open(kb->cache->root, path + strlen(kb->cache->root) + 1);

	return fd >= 0;
}

const char *headers_object(struct kbuild *kb, const char *headers, bool in_kernel, const char **reason)
{
	struct arena *a = kb->arena;
	const char *text = source_of(a, headers), *path, *object;
	char *output = "", *dir;
	bool good;

	*reason = arena_printf(a, "'%s' does not name headers: expected <linux/fs.h> or <linux/fs.h><linux/mm.h>",
			       headers);
	if (!text)
		return NULL;
	path = object_path(kb, text, in_kernel);
	if (is_ours(kb, path))
		return path;
	*reason = arena_printf(a, "cannot write to %s/headers", kb->cache->root);
	dir = dir_make(arena_printf(a, "%s/headers", kb->cache->root), 0700) ?
	      safe_dir_new(a, arena_printf(a, "%s/headers", kb->cache->root), "") : NULL;
	if (!dir)
		return NULL;
	good = compile(kb, text, dir, in_kernel, &object, &output) && chmod(object, 0644) == 0 &&
	       rename(object, path) == 0;
	dir_remove(dir);
	*reason = arena_printf(a, "%s %s: %s", headers, in_kernel ? "of the kernel" : "of this machine",
			       complaint(a, output));
	return good ? path : NULL;
}
