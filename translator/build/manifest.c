/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of a directory's files: the format, then lines of "SIZE HASH NAME". */
#include "manifest.h"

#include <string.h>

#include "base/arena.h"
#include "base/safe_path.h"
#include "base/util.h"

const char *manifest_line(struct arena *a, const char *name, const char *data, size_t size)
{
	return arena_printf(a, "%zu %016llx %s\n", size, (unsigned long long)hash_large(data, size), name);
}

static bool file_matches(struct arena *a, const char *dir, const char *line)
{
	const char *name = strrchr(line, ' ');
	size_t size;
	char *data = name ? safe_read(a, dir, name + 1, &size) : NULL;
	const char *now = data ? manifest_line(a, name + 1, data, size) : "";

	return strncmp(now, line, strlen(line)) == 0 && now[strlen(line)] == '\n';
}

bool manifest_is_sound(struct arena *a, const char *dir, const char *format)
{
	char *text = safe_read(a, dir, "manifest", NULL);
	char *line = text ? strsep(&text, "\n") : NULL;

	if (!line || !str_equal(line, format))
		return false;
	while ((line = strsep(&text, "\n")) && *line)
		if (!file_matches(a, dir, line))
			return false;
	/* the last line must be complete, with nothing after it */
	return line && !text;
}
