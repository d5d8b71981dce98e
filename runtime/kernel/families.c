// SPDX-License-Identifier: GPL-2.0-or-later
/* All probe families in turn: rows of one family are adjacent. */
#include "families.h"

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/moduleparam.h>

#include "message.h"
#include "probe.h"

struct family {
	const struct tap_probe_ops *ops;
	u32 first, count;
};

/* The family whose rows begin at FIRST; false after the last. */
static bool families_at(u32 first, struct family *f)
{
	u32 end = first;

	if (first >= tap_script.probe_count)
		return false;
	while (end < tap_script.probe_count && tap_script.probes[end].ops == tap_script.probes[first].ops)
		end++;
	*f = (struct family){ tap_script.probes[first].ops, first, end - first };
	return true;
}

#define for_each_family(f) \
	for (struct family f = { 0 }; families_at(f.first + f.count, &f);)

/* ---- CPU hotplug: one kernel state for all families, because the kernel has only some 30 ---- */

static int cpus_state;

static int families_cpu_comes(unsigned int cpu)
{
	for_each_family(f)
		if (f.ops->cpu_comes)
			f.ops->cpu_comes(cpu);
	return 0;
}

static int families_cpu_goes(unsigned int cpu)
{
	for_each_family(f)
		if (f.ops->cpu_goes)
			f.ops->cpu_goes(cpu);
	return 0;
}

void tap_cpus_expect(void)
{
	if (cpus_state || num_possible_cpus() == 1)
		return;
	cpus_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "tap:online", families_cpu_comes,
					       families_cpu_goes);
	if (cpus_state < 0)
		tap_message(TAP_ITEM_WARNING, "processors that go online later are not probed (error %d)", cpus_state);
}

static void families_forget_cpus(void)
{
	if (cpus_state > 0)
		cpuhp_remove_state_nocalls(cpus_state);
	cpus_state = 0;
}

/* ---- attaching ---- */

static bool attach_failed;

static unsigned int fail_at;
module_param(fail_at, uint, 0);
MODULE_PARM_DESC(fail_at, "for tests: the Nth registration of a probe fails");
static unsigned int registrations;

bool tap_fail_here(void)
{
	return ++registrations == fail_at;
}

void tap_start_failed(struct tap_row *row, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (row->flags & TAP_PROBE_OPTIONAL || tap_session.state == TAP_RUNNING) {
		tap_message(TAP_ITEM_WARNING, "probe %s at %s is left out: %s", row->probe->written,
			    row->probe->position, text);
		return;
	}
	attach_failed = true;
	tap_message(TAP_ITEM_ERROR, "probe %s at %s: %s", row->probe->written, row->probe->position, text);
}

/* Tries all families, so that all errors are reported at once. */
int tap_families_start(void)
{
	int result = 0;

	attach_failed = false;
	for_each_family(f) {
		int err = f.ops->start(&tap_rows[f.first], f.count);

		if (err)
			tap_message(TAP_ITEM_ERROR, "%s probes: error %d", f.ops->name, err);
		if (err && !result)
			result = err;
	}
	return result ? result : attach_failed ? -EINVAL : 0;
}

static void families_stop_from(u32 first)
{
	struct family f;

	if (!families_at(first, &f))
		return;
	families_stop_from(f.first + f.count);	/* in reverse order; recursive, but there are few families */
	f.ops->stop(&tap_rows[f.first], f.count);
}

void tap_families_stop(void)
{
	families_forget_cpus();
	families_stop_from(0);
}

void tap_families_begin(void)
{
	for_each_family(f)
		if (f.ops->begin)
			f.ops->begin(&tap_rows[f.first], f.count);
}

void tap_families_end(void)
{
	for_each_family(f)
		if (f.ops->end)
			f.ops->end(&tap_rows[f.first], f.count, tap_session.failed);
}

void tap_families_close(void)
{
	for_each_family(f)
		if (f.ops->close)
			f.ops->close(&tap_rows[f.first], f.count);
}
