// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the clock that stamps the records. */
#include "clock.h"

struct tap_clock_base tap_clock_base;

void tap_clock_start(void)
{
	u64 rate = tap_cycles_rate();

	if (!rate || !tap_are_cycles_steady())
		return;
	rate = div64_u64((u64)NSEC_PER_SEC << 32, rate);
	tap_clock_base.ns = ktime_get_mono_fast_ns() - mul_u64_u64_shr(tap_cycles_ordered(), rate, 32);
	tap_clock_base.rate = rate;
}

void tap_clock_check(void)
{
	if (READ_ONCE(tap_clock_base.rate) && !tap_are_cycles_steady())
		WRITE_ONCE(tap_clock_base.rate, 0);
}
