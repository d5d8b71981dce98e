/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test("name"): run once, between begin and end, by tapc --simulate; it does not run in the kernel. */
#include "points/family.h"
#include "source/translation.h"
#include "base/util.h"

static const struct point_shape shapes[] = {
	{ "test(string)", "once, in tapc --simulate: a test of the script", 0 },
	{ NULL, NULL, 0 },
};

const struct probe_family test_family;

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	if (sites->translation->options->simulate)
		site_add(sites, &test_family, point, shape);
	return true;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct point_component *c = &sites[0]->point->components.items[0];

	(void)n, (void)number, (void)declarations;
	text_char(where, '"');
	text_c_escape(where, c->text, c->text_size);
	text_char(where, '"');
}

const struct probe_family test_family = {
	.name = "test",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_test",
	.describe = describe,
	.interruptible = true,
	.runs_alone = true,
	.simulated = true,
	.by = { "a simulation", 0 },
};
