// SPDX-License-Identifier: GPL-2.0-or-later
/* Watchpoints: a hardware breakpoint on each CPU. x86 reports them after the access, in a context like an
 * NMI's when the kernel was interrupted.
 *
 * arm64 reports them before it, and steps over the access for the kernel's own handler only: with
 * ours the access would be tried for ever. So there they are refused. */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "probe.h"

#ifdef CONFIG_X86
static const struct tap_watch *watch_of(const struct tap_row *row)
{
	return row->probe->where;
}

static void touched(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	u32 count = preempt_count();

	if (regs && !user_mode(regs) && count & NMI_MASK)
		count -= TAP_BREAKPOINT_COUNT;
	tap_hit_counted(event->overflow_handler_context, regs, 0, count);
}

static void row_start(struct tap_row *row)
{
	const struct tap_watch *w = watch_of(row);
	struct perf_event *__percpu *events;
	struct perf_event_attr attr;
	int err;

	hw_breakpoint_init(&attr);
	attr.bp_addr = w->absolute ? w->offset : tap_address(w->offset);
	attr.bp_len = w->length;
	attr.bp_type = w->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	events = tap_fail_here() ? (void __percpu *)ERR_PTR(-EIO) : register_wide_hw_breakpoint(&attr, touched, row);
	err = IS_ERR((void __force *)events) ? PTR_ERR((void __force *)events) : 0;
	if (err)
		tap_start_failed(row, "%s (error %d)", err == -ENOSPC ?
			"the machine's debug registers are all in use" : "this address cannot be watched", err);
	else
		row->family = (void __force *)events;
}

static void row_stop(struct tap_row *row)
{
	if (row->family)
		unregister_wide_hw_breakpoint((void __percpu __force *)row->family);
	row->family = NULL;
}
#else
static void row_start(struct tap_row *row)
{
	tap_start_failed(row, "memory cannot be watched on this architecture");
}
static void row_stop(struct tap_row *row) { }
#endif

static int watch_start(struct tap_row *rows, u32 count)
{
	for (struct tap_row *row = rows; row < rows + count; row++)
		row_start(row);
	return 0;
}

static void watch_stop(struct tap_row *rows, u32 count)
{
	for (struct tap_row *row = rows; row < rows + count; row++)
		row_stop(row);
}

const struct tap_probe_ops tap_watch = {
	.name = "watch", .start = watch_start, .stop = watch_stop,
};
