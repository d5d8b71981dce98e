/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procfs("path").read and .write: a file /proc/systemtap/MODULE/path. When the file is read, the handler
 * sets its text, $value; when it is written, $value is what was written. .umask(N) removes permissions from
 * "everyone" (without it, only the owner has access); .maxsize(N) limits the size of the text that is read. */
#include "points/family.h"

#include <string.h>

#include "base/util.h"

#include "tap_script.h"

enum { READ, WRITE };
enum { MOST_TEXT = 1 << 20 };

#define SHAPES(file) \
	{ file ".read", "each read of a file in /proc/systemtap", READ }, \
	{ file ".write", "each write to a file in /proc/systemtap", WRITE }, \
	{ file ".umask(number).read", "the same, with a umask for the file's permissions", READ }, \
	{ file ".umask(number).write", "the same, with a umask for the file's permissions", WRITE }, \
	{ file ".read.maxsize(number)", "the same, with another limit of the text's size", READ }, \
	{ file ".maxsize(number).read", "the same, with another limit of the text's size", READ }, \
	{ file ".umask(number).maxsize(number).read", "the same, with another limit of the text's size", READ }, \
	{ file ".umask(number).read.maxsize(number)", "the same, with another limit of the text's size", READ }

static const struct point_shape shapes[] = {
	SHAPES("procfs(string)"),
	SHAPES("procfs"),
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_procfs,
	ROW_MEMBER(tap_procfs, path),
	ROW_MEMBER(tap_procfs, mode),
	ROW_MEMBER(tap_procfs, most),
	ROW_MEMBER(tap_procfs, writes));

const struct probe_family procfs_family;

/* Components between the slashes must not be empty, "." or "..". */
static bool is_path_good(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (!n || (path[0] == '.' && (n == 1 || (n == 2 && path[1] == '.'))))
			return false;
		path += n;
		if (*path && !*++path)
			return false;
	}
	return true;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *file = &point->components.items[0];
	const struct point_component *umask = point_component(point, "umask");
	const struct point_component *maxsize = point_component(point, "maxsize");
	const char *path = file->has_argument ? file->text : "command";
	struct tap_procfs *row;

	if (!*path || !is_path_good(path)) {
		sites_reason(sites, "expected names separated by '/', found '%s'", path);
		return false;
	}
	if (umask && (umask->number < 0 || umask->number > 0777)) {
		sites_reason(sites, "expected a umask from 0 to 0777");
		return false;
	}
	if (maxsize && (maxsize->number < 1 || maxsize->number > MOST_TEXT)) {
		sites_reason(sites, "expected maxsize from 1 to %d, found %lld", MOST_TEXT, (long long)maxsize->number);
		return false;
	}
	row = arena_new(sites->arena, struct tap_procfs);
	row->path = path;
	row->writes = shape->what == WRITE;
	row->mode = (row->writes ? 0222u : 0444u) & ~(umask ? (u32)umask->number : 077u);
	row->most = maxsize ? (u32)maxsize->number : 0;
	site_add(sites, &procfs_family, point, shape)->data = row;
	return true;
}

/* In a write, $value is the text that was written; in a read, it is the text to return, which the probe may set. */
static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	if (!str_equal(name, "value")) {
		sites_reason(sites, "the only variable of a file is $value");
		return false;
	}
	*out = (struct site_variable){ .debug.name = "value", .type = TYPE_STRING, .get = "tap_procfs_value(c)",
				       .is_free = site->shape->what == READ };
	if (site->shape->what == READ) {
		out->set = "tap_procfs_set";
		out->add = "tap_procfs_add";
	}
	return true;
}

const struct probe_family procfs_family = {
	.name = "procfs",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_procfs",
	.where = &layout,
	.variable = variable,
	.by = { "a file of /proc", 0, false },
	.row_bytes = 1024,
};
