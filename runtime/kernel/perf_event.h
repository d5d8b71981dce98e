/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common to the performance counters of CPUs and of threads. */
#ifndef TAP_PERF_EVENT_H
#define TAP_PERF_EVENT_H

#include <linux/perf_event.h>

#include "probe.h"

static inline struct perf_event_attr tap_perf_attr(const struct tap_perf *p)
{
	struct perf_event_attr attr = {
		.type = p->type, .size = sizeof(attr), .config = p->config, .pinned = 1, .freq = p->hertz != 0,
	};

	if (attr.freq)
		attr.sample_freq = p->hertz;
	else
		attr.sample_period = p->events;
	return attr;
}

/* The current count of EVENT. It belongs to this CPU or the current thread, so nothing else changes it; the
 * kernel's function for this purpose, perf_event_read_local, is not exported to modules. */
static inline s64 tap_perf_read(struct perf_event *event)
{
	unsigned long flags;
	s64 count;

	local_irq_save(flags);
	if (event->oncpu == smp_processor_id())
		event->pmu->read(event);
	count = local64_read(&event->count);
	local_irq_restore(flags);
	return count;
}

static inline void tap_perf_failed(struct tap_row *row, const struct tap_perf *p, int err)
{
	const char *reason = "the kernel refuses the counter";

	if (err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV)
		reason = "this machine has no such counter";
	else if (err == -ENOSPC || err == -EBUSY)
		reason = "all of the machine's counters are in use";
	else if (err == -EINVAL)
		reason = "the kernel does not accept it as a counter";
	tap_start_failed(row, "%s: type %u, config %llu (error %d)", reason, p->type, p->config, err);
}

#endif
