// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's clocks, computed from the counter by the kernel's own parameters. The kernel reports these through
 * pvclock_gtod_register_notifier(), made for KVM, whenever they change, which saves the calls that reading a clock
 * takes in the kernel. This file is only part of modules whose script calls a function for the time. */
#include "timekeeping.h"

#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "compat.h"
#include "services.h"

/* A counter of 56 bits or more, of 1 GHz as arm64's may have, does not wrap for two years. */
#define NEVER_WRAPS CLOCKSOURCE_MASK(56)

/* Valid from one update to the next; see struct tk_read_base. */
struct timekeeping {
	u64 cycles, fraction;
	u64 monotonic, real;		/* ns */
	u32 mult, shift;		/* mult 0: the kernel does not use the counter */
} __aligned(64);

/* A reader may interrupt the writer, so there are two copies: while one is written, the sequence refers readers to
 * the other, as in the kernel's struct tk_fast. What is read while it is written is not used: data_race(). */
static struct {
	u32 sequence;
	struct timekeeping copies[2];
} kept;

static void timekeeping_write(const struct timekeeping *t)
{
	for (u32 i = 0; i < 2; i++) {
		WRITE_ONCE(kept.sequence, kept.sequence + 1);
		smp_wmb();
		kept.copies[!(kept.sequence & 1)] = *t;
		smp_wmb();
	}
}

static __always_inline u64 timekeeping_at(const struct timekeeping *t, bool real)
{
	s64 delta = (s64)(tap_cycles_ordered() - t->cycles);

	if (unlikely(delta < 0))	/* another CPU's counter was slightly ahead */
		delta = 0;
	return (real ? t->real : t->monotonic) + (((u64)delta * t->mult + t->fraction) >> t->shift);
}

static __always_inline u64 timekeeping_read(bool real)
{
	u32 sequence = READ_ONCE(kept.sequence), before;
	const struct timekeeping *t;
	u64 ns;

	do {
		before = sequence;
		smp_rmb();
		t = &kept.copies[before & 1];
		OPTIMIZER_HIDE_VAR(t);		/* otherwise gcc computes an address for each member */
		if (unlikely(!data_race(t->mult)))
			return real ? ktime_get_real_fast_ns() : ktime_get_mono_fast_ns();
		ns = data_race(timekeeping_at(t, real));
		smp_rmb();
		sequence = READ_ONCE(kept.sequence);
	} while (unlikely(sequence != before));
	return ns;
}

u64 tap_clock_monotonic(void)
{
	return timekeeping_read(false);
}

u64 tap_clock_real(void)
{
	return timekeeping_read(true);
}

/* Called with the timekeeper's lock held. */
static int timekeeping_changed(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *tk = data;
	const struct tk_read_base *base = &tk->tkr_mono;
	struct timekeeping t = {
		.cycles = base->cycle_last, .fraction = base->xtime_nsec,
		.monotonic = base->base, .real = ktime_add(base->base, tk->offs_real),
		.mult = tap_is_counter(base->clock) && base->mask >= NEVER_WRAPS ? base->mult : 0, .shift = base->shift,
	};

	timekeeping_write(&t);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = timekeeping_changed };

/* Registration immediately reports the current parameters. */
static int timekeeping_open(void)
{
	return pvclock_gtod_register_notifier(&notifier);
}

static void timekeeping_close(void)
{
	pvclock_gtod_unregister_notifier(&notifier);
}

const struct tap_service tap_timekeeping_service = { .open = timekeeping_open, .close = timekeeping_close };
