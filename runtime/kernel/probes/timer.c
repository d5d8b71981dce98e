// SPDX-License-Identifier: GPL-2.0-or-later
/* timer.* probes. Periods in time units use an hrtimer (hard interrupt), those in jiffies a kernel timer (softirq),
 * timer.profile an hrtimer on each CPU. They tick only while armed, so the first tick is one period after begin. A
 * late tick is a single tick: missed ones are skipped (hrtimer_forward_now), because catching up would delay it
 * further.
 *
 * All hrtimers are _HARD: a real-time kernel would otherwise let them expire in a thread, and a handler would see
 * that thread instead of the interrupted task. */
#include <linux/cpu.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>

#include "families.h"
#include "probe.h"

enum { LEAST_NS = 10000 };	/* a shorter period would leave no time for anything else */

struct ticker {
	struct tap_row *row;
	struct hrtimer high;
	struct timer_list slow;
	u64 random;			/* .randomize: the state of a generator, never 0 */
	struct ticker __percpu *each;	/* profile: one per CPU */
	bool on;			/* profile: running; changes with the lock of CPU hotplug held */
};

static struct tap_row *timer_rows;
static u32 timer_row_count;

static const struct tap_timer *timer_of(const struct tap_row *row)
{
	return row->probe->where;
}

/* Xorshift. The kernel's random numbers take a lock that sleeps on a real-time kernel. */
static u32 timer_next_random(struct ticker *ticker)
{
	ticker->random ^= ticker->random << 13;
	ticker->random ^= ticker->random >> 7;
	ticker->random ^= ticker->random << 17;
	return ticker->random >> 32;
}

static u64 timer_period(struct ticker *ticker)
{
	const struct tap_timer *t = timer_of(ticker->row);
	u64 p = t->period;

	if (!p && t->profile)
		p = TICK_NSEC;
	if (t->randomize)
		p += timer_next_random(ticker) % (2 * t->randomize + 1) - min(t->randomize, p);
	return max_t(u64, p, t->jiffies ? 1 : LEAST_NS);
}

/* ---- ticking ---- */

static enum hrtimer_restart timer_high_tick(struct hrtimer *timer)
{
	struct ticker *t = container_of(timer, struct ticker, high);

	tap_hit(t->row, get_irq_regs(), 0);
	hrtimer_forward_now(timer, ns_to_ktime(timer_period(t)));
	return HRTIMER_RESTART;
}

static void timer_slow_tick(struct timer_list *timer)
{
	struct ticker *t = timer_container_of(t, timer, slow);

	tap_hit(t->row, NULL, 0);
	mod_timer(timer, jiffies + timer_period(t));
}

/* Runs on the CPU concerned. */
static void timer_profile_here(void *row)
{
	struct ticker *t = ((struct tap_row *)row)->family;

	t = this_cpu_ptr(t->each);
	hrtimer_start(&t->high, ns_to_ktime(timer_period(t)), HRTIMER_MODE_REL_PINNED_HARD);
}

static void timer_profile_arm(struct tap_row *row, struct ticker *t)
{
	cpus_read_lock();
	t->on = true;
	on_each_cpu(timer_profile_here, row, 1);
	cpus_read_unlock();
}

static void timer_profile_disarm(struct ticker *t)
{
	unsigned int cpu;

	cpus_read_lock();
	t->on = false;
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(t->each, cpu)->high);
	cpus_read_unlock();
}

/* These two run on the CPU that goes online or offline; without the second its timers would
 * move to another CPU, which has its own. */
static void timer_cpu_comes(u32 cpu)
{
	for (struct tap_row *row = timer_rows; row < timer_rows + timer_row_count; row++) {
		struct ticker *t = row->family;

		if (t && t->each && t->on)
			timer_profile_here(row);
	}
}

static void timer_cpu_goes(u32 cpu)
{
	for (struct tap_row *row = timer_rows; row < timer_rows + timer_row_count; row++) {
		struct ticker *t = row->family;

		if (t && t->each)
			hrtimer_cancel(&per_cpu_ptr(t->each, cpu)->high);
	}
}

static void timer_arm(struct tap_row *row)
{
	struct ticker *t = row->family;

	if (!t)				/* optional, and left out */
		return;
	if (t->each)
		timer_profile_arm(row, t);
	else if (timer_of(row)->jiffies)
		mod_timer(&t->slow, jiffies + timer_period(t));
	else
		hrtimer_start(&t->high, ns_to_ktime(timer_period(t)), HRTIMER_MODE_REL_HARD);
}

static void timer_disarm(struct tap_row *row)
{
	struct ticker *t = row->family;

	if (!t)
		return;
	if (t->each)
		timer_profile_disarm(t);
	hrtimer_cancel(&t->high);
	timer_delete_sync(&t->slow);
}

static bool timer_is_of_session(const struct tap_row *row)
{
	return !timer_of(row)->profile;
}

/* ---- life ---- */

static void timer_ticker_set_up(struct ticker *t, struct tap_row *row)
{
	t->row = row;
	t->random = (u64)get_random_u32() << 32 | get_random_u32() | 1;
	hrtimer_setup(&t->high, timer_high_tick, CLOCK_MONOTONIC,
		      timer_of(row)->profile ? HRTIMER_MODE_REL_PINNED_HARD : HRTIMER_MODE_REL_HARD);
	timer_setup(&t->slow, timer_slow_tick, 0);
}

static int timer_row_start(struct tap_row *row)
{
	struct ticker *t = tap_zalloc(sizeof(*t), NUMA_NO_NODE);
	unsigned int cpu;

	if (!t)
		return -ENOMEM;
	row->family = t;
	timer_ticker_set_up(t, row);
	if (!timer_of(row)->profile)
		return 0;
	t->each = alloc_percpu(struct ticker);
	if (!t->each)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		timer_ticker_set_up(per_cpu_ptr(t->each, cpu), row);
	return 0;
}

static int timer_start(struct tap_row *rows, u32 count)
{
	bool profile = false;

	timer_rows = rows;
	timer_row_count = count;
	for (struct tap_row *row = rows; row < rows + count; row++) {
		if (tap_fail_here())
			tap_start_failed(row, "no timer (requested by fail_at)");
		else if (timer_row_start(row))
			return -ENOMEM;
		profile |= timer_of(row)->profile;
	}
	if (profile)
		tap_cpus_expect();
	return 0;
}

static void timer_stop(struct tap_row *rows, u32 count)
{
	for (struct tap_row *row = rows; row < rows + count; row++) {
		struct ticker *t = row->family;

		if (!t)
			continue;
		timer_disarm(row);
		free_percpu(t->each);
		tap_zfree(t, sizeof(*t));
		row->family = NULL;
	}
}

const struct tap_probe_ops tap_timer = {
	.name = "timer", .start = timer_start, .stop = timer_stop,
	.arm = timer_arm, .disarm = timer_disarm, .is_of_session = timer_is_of_session,
	.cpu_comes = timer_cpu_comes, .cpu_goes = timer_cpu_goes,
};
