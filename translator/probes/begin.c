/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin, end and error: they run once, when a session starts, when it stops, and when it stops
 * because of errors; probes with a lower number run first. never: does not run. */
#include "points/family.h"
#include "base/util.h"

#include "tap_script.h"

static const struct point_shape shapes[] = {
	{ "begin", "when the session starts, before any other probe is armed", TAP_BEGIN },
	{ "begin(number)", "begin, in order of the numbers", TAP_BEGIN },
	{ "end", "when the session stops, after all other probes are disarmed", TAP_END },
	{ "end(number)", "end, in order of the numbers", TAP_END },
	{ "error", "instead of end, when the session stops because of errors", TAP_ERROR_PROBE },
	{ "error(number)", "error, in order of the numbers", TAP_ERROR_PROBE },
	{ NULL, NULL, 0 },
};

static const struct point_shape never_shapes[] = {
	{ "never", "never", 0 },
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_begin,
	ROW_MEMBER(tap_begin, kind),
	ROW_MEMBER(tap_begin, priority));

const struct probe_family begin_family, never_family;

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *c = &point->components.items[0];
	struct tap_begin *row = arena_new(sites->arena, struct tap_begin);

	row->kind = (unsigned)shape->what;
	row->priority = c->has_argument ? c->number : 0;
	site_add(sites, &begin_family, point, shape)->data = row;
	return true;
}

static bool resolve_never(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	site_add(sites, &never_family, point, shape);
	return true;
}

const struct probe_family begin_family = {
	.name = "begin",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_begin",
	.where = &layout,
	.interruptible = true,
	.runs_alone = true,
	.simulated = true,
	.by = { "the session itself", 0, false },
};

const struct probe_family never_family = {
	.name = "never",
	.shapes = never_shapes,
	.resolve = resolve_never,
	.interruptible = true,
	.runs_alone = true,
	.simulated = true,
	.by = { "nothing", 0, false },
};
