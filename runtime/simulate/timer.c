/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timer.* probes in virtual time: the next one in order of due times runs at once, and the
 * clock is set to its due time. Timers due at the same time run in the script's order. */
#include "simulate.h"

const struct tap_probe_ops tap_timer = { "timer" };

enum { LEAST_NS = 10000, JIFFY_NS = 4000000 };	/* as in the kernel, at 250 Hz */

static u64 now;

static u64 next_random(void)		/* the same sequence in each run */
{
	static u64 state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

static u64 period(const struct row *row)
{
	const struct tap_timer *t = row->probe->where;
	u64 unit = t->jiffies ? JIFFY_NS : 1, p = t->period * unit, range = t->randomize * unit;

	if (!p && t->profile)
		p = JIFFY_NS;
	if (range)
		p += next_random() % (2 * range + 1) - (range < p ? range : p);
	return p > LEAST_NS ? p : LEAST_NS;
}

u64 timers_now(void)
{
	return now;
}

void timers_arm(struct row *row)
{
	row->due = now + period(row);
}

static struct row *next_due(void)
{
	struct row *next = NULL;

	for_each_row(row, tap_timer)
		if (row->armed && (!next || row->due < next->due))
			next = row;
	return next;
}

static void tick(struct row *row)
{
	const struct tap_timer *t = row->probe->where;

	now = row->due;
	row->due += period(row);
	for (u32 cpu = 0; cpu < (t->profile ? TAP_CPUS : 1) && !session.exiting; cpu++)
		frame_hit(row, false);
}

void timers_run(void)
{
	struct row *row;

	while (!session.exiting && (row = next_due()) && row->due <= session.end) {
		tick(row);
		if (session.conditions_changed)
			rows_update();
	}
}
