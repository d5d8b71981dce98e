/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.UNIT(N) with an optional .randomize(M): every N units, plus or minus M; timer.profile: on
 * each CPU at the kernel's tick, or at a frequency. */
#include "points/family.h"
#include "base/util.h"

#include "tap_script.h"

/* A timer with a shorter period would use up a processor. Such a period is usually a mistake in the unit. */
enum { LEAST_PERIOD = 100000 };
enum { NANOSECONDS = 1, MICROSECONDS = 1000, MILLISECONDS = 1000000, SECONDS = 1000000000,
       JIFFIES = 0, HERTZ = -1, PROFILE = -2, PROFILE_HERTZ = -3 };

#define UNIT(name, what)                                                                   \
	{ "timer." name "(number)", "every N " name, what },                                \
	{ "timer." name "(number).randomize(number)", "every N " name ", plus or minus M", what }

static const struct point_shape shapes[] = {
	UNIT("s", SECONDS), UNIT("sec", SECONDS),
	UNIT("ms", MILLISECONDS), UNIT("msec", MILLISECONDS),
	UNIT("us", MICROSECONDS), UNIT("usec", MICROSECONDS),
	UNIT("ns", NANOSECONDS), UNIT("nsec", NANOSECONDS),
	UNIT("jiffies", JIFFIES),
	{ "timer.hz(number)", "N times per second", HERTZ },
	{ "timer.profile", "on each CPU, at each tick of the kernel", PROFILE },
	{ "timer.profile.tick", "on each CPU, at each tick of the kernel", PROFILE },
	{ "timer.profile.freq.hz(number)", "on each CPU, N times per second", PROFILE_HERTZ },
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_timer,
	ROW_MEMBER(tap_timer, period),
	ROW_MEMBER(tap_timer, randomize),
	ROW_MEMBER(tap_timer, jiffies),
	ROW_MEMBER(tap_timer, profile));

const struct probe_family timer_family;

static int64_t last_number(const struct point *point)
{
	return point->components.items[point->components.n - 1].number;
}

static bool resolve_hertz(const struct point *point, struct sites *sites, struct tap_timer *row)
{
	int64_t hertz = last_number(point);

	if (hertz < 1 || hertz > SECONDS / LEAST_PERIOD) {
		sites_reason(sites, "expected a frequency from 1 to %d, found %lld", SECONDS / LEAST_PERIOD,
			     (long long)hertz);
		return false;
	}
	row->period = (u64)(SECONDS / hertz);
	return true;
}

static bool resolve_period(const struct point *point, const struct point_shape *shape,
			   struct sites *sites, struct tap_timer *row)
{
	int64_t unit = shape->what == JIFFIES ? 1 : shape->what;
	int64_t period = point->components.items[1].number;
	const struct point_component *randomize = point_component(point, "randomize");
	int64_t range = randomize ? randomize->number : 0;

	if (period < 1 || period > INT64_MAX / 4 / unit) {
		sites_reason(sites, "expected a period of at least 1 and at most 146 years, found %lld",
			     (long long)period);
		return false;
	}
	if (shape->what != JIFFIES && period * unit < LEAST_PERIOD) {
		sites_reason(sites, "expected a period of at least %d ns (100 us, timer.hz(%d)), found %lld",
			     LEAST_PERIOD, SECONDS / LEAST_PERIOD, (long long)(period * unit));
		return false;
	}
	if (range < 0 || range > period) {
		sites_reason(sites, "expected randomize from 0 to the period %lld, found %lld", (long long)period,
			     (long long)range);
		return false;
	}
	row->period = (u64)(period * unit);
	row->randomize = (u64)(range * unit);
	row->jiffies = shape->what == JIFFIES;
	return true;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct tap_timer *row = arena_new(sites->arena, struct tap_timer);

	site_add(sites, &timer_family, point, shape)->data = row;
	row->profile = shape->what == PROFILE || shape->what == PROFILE_HERTZ;
	if (shape->what == PROFILE)
		return true;	/* period 0: the kernel's tick */
	if (shape->what == HERTZ || shape->what == PROFILE_HERTZ)
		return resolve_hertz(point, sites, row);
	return resolve_period(point, shape, sites, row);
}

static const struct mechanism *mechanism(const struct site *s)
{
	static const struct mechanism timer = { "a timer", 0, false }, each_cpu = { "a timer of each CPU", 0, false };
	const struct tap_timer *row = s->data;

	return row->profile ? &each_cpu : &timer;
}

const struct probe_family timer_family = {
	.name = "timer",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_timer",
	.where = &layout,
	.simulated = true,
	.mechanism = mechanism,
	.row_bytes = 1024,
};
