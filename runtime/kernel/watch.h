/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common to watchpoints in the kernel and in processes. x86 reports an access after it is done, and for kernel code
 * in a context like an NMI's. */
#ifndef TAP_WATCH_H
#define TAP_WATCH_H

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "probe.h"

static inline struct perf_event_attr tap_watch_attr(const struct tap_watch *w, u64 address)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT, .size = sizeof(struct perf_event_attr), .pinned = 1, .sample_period = 1,
		.bp_addr = address, .bp_len = w->length, .bp_type = w->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W,
	};
}

/* preempt_count() at the time of the access. */
static inline u32 tap_watch_count(const struct pt_regs *regs)
{
	u32 count = preempt_count();

#ifdef TAP_BREAKPOINT_COUNT
	if (regs && !tap_in_user_mode(regs) && count & NMI_MASK)
		count -= TAP_BREAKPOINT_COUNT;
#endif
	return count;
}

/* The access comes from a handler: it is not reported, and does not count as skipped. */
static inline bool tap_watch_is_own(const struct pt_regs *regs, u32 count)
{
	return regs && !tap_in_user_mode(regs) && tap_is_busy(tap_frame_at(count));
}

static inline void tap_watch_failed(struct tap_row *row, int err)
{
	if (!TAP_MAY_WATCH)
		tap_start_failed(row, "memory cannot be watched on this architecture");
	else
		tap_start_failed(row, "%s (error %d)", err == -ENOSPC ?
			"the machine's debug registers are all in use" : "this address cannot be watched", err);
}

#endif
