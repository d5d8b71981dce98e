/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.type(T).config(C): each N events of one of the kernel's performance counters, with .sample(N) or,
 * so many times a second, .hz(N); on all processors. What T and C mean is the kernel's business
 * (perf_event_open(2)); names for them are in tapsets/perf.stp. */
#include "family.h"
#include "util.h"

enum { EACH, SAMPLE, HERTZ };
enum { DEFAULT_SAMPLE = 1000000 };

static const struct point_shape shapes[] = {
	{ "perf.type(number).config(number)", "each 1000000 events of a performance counter", EACH },
	{ "perf.type(number).config(number).sample(number)", "each N events of a performance counter", SAMPLE },
	{ "perf.type(number).config(number).hz(number)",
	  "so often that it is about N times a second, at an event of a performance counter", HERTZ },
	{ NULL, NULL, 0 },
};

const struct probe_family perf_family;

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	int64_t type = point_component(point, "type")->number;
	int64_t n = shape->what == EACH ? DEFAULT_SAMPLE :
		    point->components.items[point->components.n - 1].number;
	struct site *s;

	if (type < 0 || type > UINT32_MAX) {
		sites_reason(sites, "a counter's type is a number of 32 bits, not %lld", (long long)type);
		return false;
	}
	if (n < 1) {
		sites_reason(sites, shape->what == HERTZ ? "a frequency is at least 1, not %lld" :
			     "a number of events is at least 1, not %lld", (long long)n);
		return false;
	}
	s = site_add(sites, &perf_family, point, shape);
	s->value[0] = type;
	s->value[1] = point_component(point, "config")->number;
	s->value[2] = n;
	return true;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	(void)site, (void)out;
	sites_reason(sites, "a performance counter has no '$%s'", name);
	return false;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct site *s = sites[0];

	(void)n, (void)number, (void)declarations;
	text_printf(where, "&(const struct tap_perf){ .type = %lld, .config = 0x%llxull, .%s = %lldull }",
		    (long long)s->value[0], (unsigned long long)s->value[1],
		    s->shape->what == HERTZ ? "hertz" : "events", (long long)s->value[2]);
}

const struct probe_family perf_family = {
	.name = "perf",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_perf",
	.describe = describe,
	.variable = variable,
};
