/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the performance counters of CPUs and those of threads have in common. */
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

/* What EVENT has counted up to now. It is of this CPU or of the current thread, so nobody else changes
 * it: the kernel's own way to read it from here is not for modules (perf_event_read_local). */
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
		reason = "the kernel takes it for no counter";
	tap_start_failed(row, "%s: type %u, config %llu (error %d)", reason, p->type, p->config, err);
}

#endif
