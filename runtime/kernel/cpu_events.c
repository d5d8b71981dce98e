// SPDX-License-Identifier: GPL-2.0-or-later
/* Events on each processor. The kernel removes its events from a processor that goes offline, and creates none on
 * one that goes online. A work item does that a moment later: creating or freeing a software event switches a
 * static key, which waits for the lock of CPU hotplug (kernel/events/core.c, perf_swevent_init()), and that is held
 * while a processor goes online or offline. */
#include "cpu_events.h"

#include <linux/cpumask.h>
#include <linux/workqueue.h>

#include "families.h"
#include "message.h"

struct events {
	struct tap_row *row;
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	struct perf_event *__percpu *each;
	bool on;
	struct events *next;
};

static void cpu_events_renew_work(struct work_struct *work);
static DECLARE_WORK(renew, cpu_events_renew_work);
static struct cpumask changed;			/* CPUs that went online or offline since cpu_events_renew_work */

static struct events *all;
static DEFINE_MUTEX(lock);			/* protects all; process context only, with none of our locks held */

/* NULL if CPU is offline, or was a moment ago: we are notified when it is online. */
static struct perf_event *cpu_event_new(struct events *e, u32 cpu)
{
	struct perf_event *event = perf_event_create_kernel_counter(&e->attr, cpu, NULL, e->hit, e->row);

	return event == ERR_PTR(-ENODEV) ? NULL : event;
}

/* A handler may be using the old event: the kernel frees it by RCU. */
static void cpu_event_replace(struct events *e, u32 cpu, struct perf_event *event)
{
	struct perf_event *old = xchg(per_cpu_ptr(e->each, cpu), event);

	if (old)
		perf_event_release_kernel(old);
}

/* The old event is released first, because the machine may have only a few. */
static void cpu_event_renew(struct events *e, u32 cpu)
{
	struct perf_event *event;

	cpu_event_replace(e, cpu, NULL);
	event = cpu_event_new(e, cpu);
	if (IS_ERR(event))
		tap_message(TAP_ITEM_WARNING, "probe %s at %s is not active on processor %u, which went online later (error %ld)",
			    e->row->probe->written, e->row->probe->position, cpu, PTR_ERR(event));
	if (IS_ERR_OR_NULL(event))
		return;
	cpu_event_replace(e, cpu, event);
	if (e->on)
		perf_event_enable(event);
}

static void cpu_events_renew_work(struct work_struct *work)
{
	u32 cpu;

	mutex_lock(&lock);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &changed))
			continue;
		for (struct events *e = all; e; e = e->next)
			cpu_event_renew(e, cpu);
	}
	mutex_unlock(&lock);
}

void tap_cpu_events_changed(u32 cpu)
{
	cpumask_set_cpu(cpu, &changed);
	schedule_work(&renew);
}

struct perf_event *tap_cpu_events_here(const struct tap_row *row)
{
	const struct events *e = READ_ONCE(row->family);

	return e ? *this_cpu_ptr(e->each) : NULL;
}

static void cpu_events_switch(struct events *e, bool on)
{
	u32 cpu;

	mutex_lock(&lock);
	e->on = on;
	for_each_possible_cpu(cpu) {
		struct perf_event *event = *per_cpu_ptr(e->each, cpu);

		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
	mutex_unlock(&lock);
}

void tap_cpu_events_arm(struct tap_row *row)
{
	if (row->family)
		cpu_events_switch(row->family, true);
}

void tap_cpu_events_disarm(struct tap_row *row)
{
	if (row->family)
		cpu_events_switch(row->family, false);
}

/* ---- life ---- */

static int cpu_events_new(struct events *e)
{
	u32 cpu;

	for_each_online_cpu(cpu) {
		struct perf_event *event = tap_fail_here() ? ERR_PTR(-EIO) : cpu_event_new(e, cpu);

		if (IS_ERR(event))
			return PTR_ERR(event);
		cpu_event_replace(e, cpu, event);
	}
	return 0;
}

static void cpu_events_detach(struct events *e)
{
	struct events **at;
	u32 cpu;

	mutex_lock(&lock);
	for (at = &all; *at != e;)
		at = &(*at)->next;
	*at = e->next;
	for_each_possible_cpu(cpu)
		cpu_event_replace(e, cpu, NULL);
	mutex_unlock(&lock);
}

static void cpu_events_free(struct events *e)
{
	free_percpu(e->each);
	tap_zfree(e, sizeof(*e));
}

int tap_cpu_events_open(struct tap_row *row, const struct perf_event_attr *attr, perf_overflow_handler_t hit)
{
	struct events *e = tap_zalloc(sizeof(*e), NUMA_NO_NODE);
	int err;

	if (!e)
		return -ENOMEM;
	*e = (struct events){ .row = row, .attr = *attr, .hit = hit, .each = alloc_percpu(struct perf_event *) };
	e->attr.disabled = 1;
	if (!e->each) {
		tap_zfree(e, sizeof(*e));
		return -ENOMEM;
	}
	mutex_lock(&lock);
	e->next = all;
	all = e;
	err = cpu_events_new(e);
	mutex_unlock(&lock);
	if (!err) {
		WRITE_ONCE(row->family, e);
		return 0;
	}
	cpu_events_detach(e);	/* they were never enabled */
	cpu_events_free(e);
	return err;
}

/* The last callback of an event may still be running when the event is released, or a handler may be reading it. */
void tap_cpu_events_stop(struct tap_row *rows, u32 count)
{
	struct events *detached = NULL, *e;

	for (struct tap_row *row = rows; row < rows + count; row++) {
		e = row->family;
		if (!e)
			continue;
		cpu_events_detach(e);
		e->next = detached;
		detached = e;
		WRITE_ONCE(row->family, NULL);
	}
	if (!all)
		cancel_work_sync(&renew);
	synchronize_rcu();
	for (; detached; detached = e) {
		e = detached->next;
		cpu_events_free(detached);
	}
}
