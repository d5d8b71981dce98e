// SPDX-License-Identifier: GPL-2.0-or-later
/* Performance counters: one event on each CPU, which calls us when it has counted enough. Hardware's
 * call comes as an NMI, software's at the event itself or from a timer. Those of threads are
 * perf_threads.c's. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/perf_event.h>

#include "perf_event.h"
#include "probe.h"

struct counter {
	struct perf_event *__percpu *events;
	bool on;			/* changes under the lock of CPU hotplug */
};

static struct tap_row *our_rows;
static u32 our_count;
static int hotplug_state;

static const struct tap_perf *perf_of(const struct tap_row *row)
{
	return row->probe->where;
}

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	tap_hit(event->overflow_handler_context, regs, 0);
}

static struct perf_event *event_new(struct tap_row *row, unsigned int cpu)
{
	struct perf_event_attr attr = tap_perf_attr(perf_of(row));

	attr.disabled = 1;
	return perf_event_create_kernel_counter(&attr, cpu, NULL, overflow, row);
}

static void event_free(struct counter *c, unsigned int cpu)
{
	struct perf_event **event = per_cpu_ptr(c->events, cpu);

	if (*event)
		perf_event_release_kernel(*event);
	*event = NULL;
}

s64 tap_perf_of_cpu(struct tap_context *c, u32 row)
{
	struct counter *counter = tap_rows[row].family;
	struct perf_event *event = counter ? *this_cpu_ptr(counter->events) : NULL;

	if (event)
		return tap_perf_read(event);
	tap_error(c, "this processor's events are not counted");
	return 0;
}

/* ---- arming ---- */

static void switch_all(struct counter *c, bool on)
{
	unsigned int cpu;

	cpus_read_lock();
	c->on = on;
	for_each_online_cpu(cpu) {
		struct perf_event *event = *per_cpu_ptr(c->events, cpu);

		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
	cpus_read_unlock();
}

static void perf_arm(struct tap_row *row)
{
	if (row->family)
		switch_all(row->family, true);
}

static void perf_disarm(struct tap_row *row)
{
	if (row->family)
		switch_all(row->family, false);
}

/* ---- life ---- */

static int cpu_comes(unsigned int cpu)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++) {
		struct counter *c = row->family;
		struct perf_event *event = c && !*per_cpu_ptr(c->events, cpu) ? event_new(row, cpu) : NULL;

		if (IS_ERR_OR_NULL(event))
			continue;
		*per_cpu_ptr(c->events, cpu) = event;
		if (c->on)
			perf_event_enable(event);
	}
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++)
		if (row->family)
			event_free(row->family, cpu);
	return 0;
}

static int row_start(struct tap_row *row)
{
	struct counter *c = tap_zalloc(sizeof(*c), NUMA_NO_NODE);
	unsigned int cpu;
	int err = 0;

	if (!c)
		return -ENOMEM;
	row->family = c;
	c->events = alloc_percpu(struct perf_event *);
	if (!c->events)
		return -ENOMEM;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct perf_event *event = tap_fail_here() ? ERR_PTR(-EIO) : event_new(row, cpu);

		err = PTR_ERR_OR_ZERO(event);
		if (err)
			break;
		*per_cpu_ptr(c->events, cpu) = event;
	}
	cpus_read_unlock();
	if (err)
		tap_perf_failed(row, perf_of(row), err);
	return 0;
}

static int perf_start(struct tap_row *rows, u32 count)
{
	int err;

	our_rows = rows;
	our_count = count;
	for (struct tap_row *row = rows; row < rows + count; row++) {
		err = row_start(row);
		if (err)
			return err;
	}
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "tap:perf", cpu_comes, cpu_goes);
	if (err < 0)
		return err;
	hotplug_state = err;
	return 0;
}

static void perf_stop(struct tap_row *rows, u32 count)
{
	unsigned int cpu;

	if (hotplug_state)
		cpuhp_remove_state_nocalls(hotplug_state);
	hotplug_state = 0;
	for (struct tap_row *row = rows; row < rows + count; row++) {
		struct counter *c = row->family;

		row->family = NULL;
		if (!c)
			continue;
		for_each_possible_cpu(cpu)
			if (c->events)
				event_free(c, cpu);
		free_percpu(c->events);
		tap_zfree(c, sizeof(*c));
	}
}

const struct tap_probe_ops tap_perf = {
	.name = "perf", .start = perf_start, .stop = perf_stop, .arm = perf_arm, .disarm = perf_disarm,
};
