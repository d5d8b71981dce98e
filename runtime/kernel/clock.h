/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of records: ns since boot, comparable between CPUs, from any context. */
#ifndef TAP_CLOCK_H
#define TAP_CLOCK_H

#include "compat.h"
#include "tap_print.h"
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

extern struct tap_clock_base tap_clock_base;

/* The kernel's clock is NMI-safe but takes 40 instructions; a counter that runs at the same
 * rate on all CPUs serves as well. It drifts from CLOCK_MONOTONIC, which is steered. CYCLES: tap_cycles_ordered(), or
 * tap_cycles(), which does not wait for the instructions before it, for how long something takes. */
static __always_inline u64 tap_clock_counted(u64 cycles, u64 rate)
{
	return tap_clock_base.ns + mul_u64_u64_shr(cycles, rate, 32);
}

static __always_inline u64 tap_clock(void)
{
	u64 rate = READ_ONCE(tap_clock_base.rate);

	return likely(rate) ? tap_clock_counted(tap_cycles_ordered(), rate) : ktime_get_mono_fast_ns();
}

void tap_clock_start(void);
/* Called now and then: the kernel may have found the counter to be unreliable. */
void tap_clock_check(void);

#endif
