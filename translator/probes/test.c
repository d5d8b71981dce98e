/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test("name"): run once, between begin and end, by tapc --simulate; it does not run in the kernel. */
#include "points/family.h"
#include "source/options.h"
#include "base/util.h"

#include "tap_script.h"

static const struct point_shape shapes[] = {
	{ "test(string)", "once, in tapc --simulate: a test of the script", 0 },
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_test, ROW_MEMBER(tap_test, name));

const struct probe_family test_family;

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct tap_test *row;

	if (!sites->options->simulate)
		return true;
	row = arena_new(sites->arena, struct tap_test);
	row->name = point->components.items[0].text;
	site_add(sites, &test_family, point, shape)->data = row;
	return true;
}

const struct probe_family test_family = {
	.name = "test",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_test",
	.where = &layout,
	.interruptible = true,
	.runs_alone = true,
	.simulated = true,
	.by = { "a simulation", 0, false },
};
