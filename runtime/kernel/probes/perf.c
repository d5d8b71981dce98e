// SPDX-License-Identifier: GPL-2.0-or-later
/* Performance counters: one event on each CPU, which calls us when it has counted enough. Hardware events call from
 * an NMI, software events at the event itself or from a timer. perf_threads.c has those of threads. */
#include "cpu_events.h"
#include "families.h"
#include "perf_event.h"
#include "probe.h"

static const struct tap_perf *perf_of(const struct tap_row *row)
{
	return row->probe->where;
}

static void perf_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	tap_hit(event->overflow_handler_context, regs, 0);
}

s64 tap_perf_of_cpu(struct tap_context *c, u32 row)
{
	struct perf_event *event = tap_cpu_events_here(&tap_rows[row]);

	if (event)
		return tap_perf_read(event);
	tap_error(c, "this processor's events are not counted");
	return 0;
}

static int perf_start(struct tap_row *rows, u32 count)
{
	int err = 0;

	tap_cpus_expect();
	for (struct tap_row *row = rows; row < rows + count && err != -ENOMEM; row++) {
		struct perf_event_attr attr = tap_perf_attr(perf_of(row));

		err = tap_cpu_events_open(row, &attr, perf_overflow);
		if (err && err != -ENOMEM)
			tap_perf_failed(row, perf_of(row), err);
	}
	return err == -ENOMEM ? err : 0;
}

const struct tap_probe_ops tap_perf = {
	.name = "perf", .start = perf_start, .stop = tap_cpu_events_stop,
	.arm = tap_cpu_events_arm, .disarm = tap_cpu_events_disarm,
	.cpu_comes = tap_cpu_events_changed, .cpu_goes = tap_cpu_events_changed,
};
