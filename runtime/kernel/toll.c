// SPDX-License-Identifier: GPL-2.0-or-later
#include "toll.h"

#include <linux/uaccess.h>

#include "compat.h"
#include "context.h"

static u32 toll_breakpoint, toll_clock;

/* How long the clock takes that we measure with. */
static u32 toll_of_clock(void)
{
	u32 begun = (u32)tap_cycles();

	return (u32)tap_cycles() - begun;
}

/* An exception can be timed only from outside, but the time of any other one shows how fast the machine handles them:
 * a page fault at an address that is never mapped. */
static u32 toll_of_fault(void)
{
	u32 begun = (u32)tap_cycles();
	u8 byte;

	return copy_from_kernel_nofault(&byte, (void *)-PAGE_SIZE, sizeof(byte)) ? (u32)tap_cycles() - begun : 0;
}

void tap_toll_measure(void)
{
	toll_breakpoint = toll_clock = U32_MAX;
	for (u32 i = 0; i < 8; i++) {
		toll_breakpoint = min(toll_breakpoint, toll_of_fault());
		toll_clock = min(toll_clock, toll_of_clock());
	}
}

/* In a busy frame the hit is part of the time of the handler that runs there. */
void tap_toll_breakpoint(struct tap_row *row, u32 count)
{
	struct tap_frame *f;

	preempt_disable_notrace();
	f = tap_frame_at(count);
	if (!tap_is_busy(f) && READ_ONCE(row->run)) {
		tap_begin_busy(f);
		tap_charge(f, row, toll_breakpoint);
		tap_end_busy(f);
	}
	preempt_enable_notrace();
}

/* Only the kernel's pre_handler can be timed: a quarter of what is done in all (Linux 6.1). */
void tap_toll_return(struct tap_row *row, u32 time)
{
	tap_charge(tap_frame_at(preempt_count()), row, 4 * (u64)(time - min(time, toll_clock)));
}
