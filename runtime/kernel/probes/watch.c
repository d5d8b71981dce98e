// SPDX-License-Identifier: GPL-2.0-or-later
/* Watchpoints in the kernel: a hardware breakpoint on each CPU. perf_threads.c has those of processes. */
#include "cpu_events.h"
#include "families.h"
#include "probe.h"
#include "watch.h"

static const struct tap_watch *watch_of(const struct tap_row *row)
{
	return row->probe->where;
}

static void watch_touched(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	u32 count = tap_watch_count(regs);

	if (!tap_watch_is_own(regs, count))
		tap_hit_counted(event->overflow_handler_context, regs, 0, count);
}

static int watch_start(struct tap_row *rows, u32 count)
{
	int err = 0;

	tap_cpus_expect();
	for (struct tap_row *row = rows; row < rows + count && err != -ENOMEM; row++) {
		const struct tap_watch *w = watch_of(row);
		struct perf_event_attr attr = tap_watch_attr(w, w->absolute ? w->offset : tap_address(w->offset));

		err = TAP_MAY_WATCH ? tap_cpu_events_open(row, &attr, watch_touched) : -EOPNOTSUPP;
		if (err && err != -ENOMEM)
			tap_watch_failed(row, err);
	}
	return err == -ENOMEM ? err : 0;
}

const struct tap_probe_ops tap_watch = {
	.name = "watch", .start = watch_start, .stop = tap_cpu_events_stop,
	.arm = tap_cpu_events_arm, .disarm = tap_cpu_events_disarm,
	.cpu_comes = tap_cpu_events_changed, .cpu_goes = tap_cpu_events_changed,
};
