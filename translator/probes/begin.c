/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin, end and error: they run once, when a session starts, when it stops, and when it stops
 * because of errors; probes with a lower number run first. never: does not run. */
#include "points/family.h"
#include "base/util.h"

#include "tap_script.h"

enum { NEVER = -1 };

static const struct point_shape shapes[] = {
	{ "begin", "when the session starts, before any other probe is armed", TAP_BEGIN },
	{ "begin(number)", "begin, in order of the numbers", TAP_BEGIN },
	{ "end", "when the session stops, after all other probes are disarmed", TAP_END },
	{ "end(number)", "end, in order of the numbers", TAP_END },
	{ "error", "instead of end, when the session stops because of errors", TAP_ERROR_PROBE },
	{ "error(number)", "error, in order of the numbers", TAP_ERROR_PROBE },
	{ "never", "never", NEVER },
	{ NULL, NULL, 0 },
};

const struct probe_family begin_family;

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *c = &point->components.items[0];
	struct site *s;

	s = site_add(sites, &begin_family, point, shape);
	s->is_nowhere = shape->what == NEVER;
	s->value[0] = c->has_argument ? c->number : 0;
	return true;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	static const char *const kinds[] = { "TAP_BEGIN", "TAP_END", "TAP_ERROR_PROBE" };

	(void)n, (void)number, (void)declarations;
	text_printf(where, "&(const struct tap_begin){ %s, %lldll }", kinds[sites[0]->shape->what],
		    (long long)sites[0]->value[0]);
}

const struct probe_family begin_family = {
	.name = "begin",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_begin",
	.describe = describe,
	.interruptible = true,
	.runs_alone = true,
	.simulated = true,
	.by = { "the session itself", 0 },
};
