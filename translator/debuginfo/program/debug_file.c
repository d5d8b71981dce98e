/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a program's debug information: in the program, or in a file with the same build-id or checksum. */
#include "debug_file.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "image.h"
#include "base/util.h"
#include "debuginfo/debuginfod.h"

static bool has_dwarf(const struct image *image)
{
	return image_section(image, ".debug_info") || image_section(image, ".zdebug_info");
}

/* Does PATH have the same build-id, or the checksum in .gnu_debuglink? */
static bool is_debug_file(struct debuginfo *d, const char *path, const uint32_t *checksum)
{
	const uint8_t *mine, *its;
	size_t n = image_build_id(&d->program->image, &mine);
	struct image image;
	const char *reason;
	bool good;

	if (!debuginfo_uses(d, path) || str_equal(path, d->path) ||
	    image_open_program(d->arena, path, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	if (n)
		good = image_build_id(&image, &its) == n && !memcmp(mine, its, n);
	else
		good = checksum && (uint32_t)crc32_z(0, image.bytes.data, image.bytes.size) == *checksum;
	image_close(&image);
	return good;
}

const char *debug_by_build_id(struct debuginfo *d, const uint8_t *id, size_t n)
{
	char hex[2 * 64 + 1];

	if (n < 3 || n > 64)
		return NULL;
	for (size_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	return arena_printf(d->arena, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", d->request.sysroot, hex,
			    hex + 2);
}

/* Candidates: next to the program, in .debug next to it, and in the same directory below /usr/lib/debug. */
static const char *by_link(struct debuginfo *d)
{
	const struct image_section *s = image_section(&d->program->image, ".gnu_debuglink");
	const char *name = s ? (const char *)s->bytes.data : NULL, *in_root = d->path + strlen(d->request.sysroot);
	size_t n = name ? strnlen(name, s->bytes.size) : 0, at = (n + 4) & ~(size_t)3;
	const char *candidates[3];
	uint32_t checksum;

	if (!n || n > 255 || at + 4 > s->bytes.size || memchr(name, '/', n))
		return NULL;
	checksum = load32(s->bytes.data + at);
	candidates[0] = arena_printf(d->arena, "%.*s%s", (int)(path_base(d->path) - d->path), d->path, name);
	candidates[1] = arena_printf(d->arena, "%.*s.debug/%s", (int)(path_base(d->path) - d->path), d->path, name);
	candidates[2] = arena_printf(d->arena, "%s/usr/lib/debug%.*s%s", d->request.sysroot,
				     (int)(path_base(in_root) - in_root), in_root, name);
	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++)
		if (is_debug_file(d, candidates[i], &checksum))
			return candidates[i];
	return NULL;
}

static const char *find_debug_file(struct debuginfo *d, const char **reason)
{
	const uint8_t *id;
	size_t n = image_build_id(&d->program->image, &id);
	const char *path = n ? debug_by_build_id(d, id, n) : NULL;

	if (path && is_debug_file(d, path, NULL))
		return path;
	path = by_link(d);
	if (path)
		return path;
	*reason = arena_printf(d->arena, "%s has no debug information, and no debug file for it is installed",
			       d->path);
	return n ? debuginfod_path(d, id, n, reason) : NULL;
}

/* NULL: the program itself. */
enum debuginfo_answer program_debug_path(struct debuginfo *d, const char **path, const char **reason)
{
	struct program *p = d->program;
	enum debuginfo_answer opened = program_open(d, reason);

	if (opened != DEBUGINFO_FOUND)
		return opened;
	*path = NULL;
	if (has_dwarf(&p->image))
		return DEBUGINFO_FOUND;
	if (!p->looked_for_debug) {
		p->looked_for_debug = true;
		p->debug_path = find_debug_file(d, &p->debug_reason);
	}
	*path = p->debug_path;
	*reason = p->debug_reason;
	return p->debug_path ? DEBUGINFO_FOUND : DEBUGINFO_ABSENT;
}
