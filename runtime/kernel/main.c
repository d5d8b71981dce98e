// SPDX-License-Identifier: GPL-2.0-or-later
/* The flow of a session: loaded, started, stopped, unloaded.
 *
 * Loading creates the files in /proc and attaches nothing. TAP_START creates what handlers need, attaches all
 * probes disarmed, runs the begin probes, and arms. TAP_STOP, or the daemon's death, disarms, detaches and runs the
 * end probes; then the output can be read, and the module unloaded. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/module.h>

#include "clock.h"
#include "context.h"
#include "control.h"
#include "lock.h"
#include "maps.h"
#include "probe.h"
#include "raise.h"
#include "rows.h"
#include "session.h"
#include "source.h"
#include "symbol.h"
#include "user/unwind.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("tapc script");

static unsigned int fail_at;
module_param(fail_at, uint, 0);
MODULE_PARM_DESC(fail_at, "for tests: the Nth registration of a probe fails");
static unsigned int registrations;

bool tap_fail_here(void)
{
	return ++registrations == fail_at;
}

/* ---- unwind.c, for scripts that use user-space stacks; weak functions for all others ---- */

int __weak tap_user_open(struct proc_dir_entry *directory) { return 0; }
bool __weak tap_user_is_there(void) { return false; }
void __weak tap_user_await(void) { }
void __weak tap_user_stop(void) { }
void __weak tap_user_report(void) { }
void __weak tap_user_close(void) { }
bool __weak tap_user_wants_lines(void) { return false; }

/* ---- timekeeping.c, for scripts that read the time ---- */

int __weak tap_clocks_open(void) { return 0; }
void __weak tap_clocks_close(void) { }

/* ---- source.c, for scripts that use source lines of the kernel ---- */

int __weak tap_sources_start(void) { return 0; }
void __weak tap_sources_close(void) { }

/* ---- raise.c, for scripts that send signals ---- */

void __weak tap_raise_open(void) { }
void __weak tap_raise_settle(void) { }

/* ---- all families in turn: rows of one family are adjacent ---- */

struct family {
	const struct tap_probe_ops *ops;
	u32 first, count;
};

/* The family whose rows begin at FIRST; false after the last. */
static bool main_family_at(u32 first, struct family *f)
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
	for (struct family f = { 0 }; main_family_at(f.first + f.count, &f);)

/* ---- CPU hotplug: one kernel state for all families, because the kernel has only some 30 ---- */

static int cpus_state;

static int main_cpu_comes(unsigned int cpu)
{
	for_each_family(f)
		if (f.ops->cpu_comes)
			f.ops->cpu_comes(cpu);
	return 0;
}

static int main_cpu_goes(unsigned int cpu)
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
	cpus_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "tap:online", main_cpu_comes, main_cpu_goes);
	if (cpus_state < 0)
		tap_message(TAP_ITEM_WARNING, "processors that go online later are not probed (error %d)", cpus_state);
}

static void main_cpus_forget(void)
{
	if (cpus_state > 0)
		cpuhp_remove_state_nocalls(cpus_state);
	cpus_state = 0;
}

/* ---- attaching ---- */

static bool attach_failed;

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
static int main_attach(void)
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

static void main_detach_from(u32 first)
{
	struct family f;

	if (!main_family_at(first, &f))
		return;
	main_detach_from(f.first + f.count);	/* in reverse order; recursive, but there are few families */
	f.ops->stop(&tap_rows[f.first], f.count);
}

static void main_detach(void)
{
	main_cpus_forget();
	main_detach_from(0);
}

static void main_run_begin(void)
{
	for_each_family(f)
		if (f.ops->begin)
			f.ops->begin(&tap_rows[f.first], f.count);
}

static void main_run_end(void)
{
	for_each_family(f)
		if (f.ops->end)
			f.ops->end(&tap_rows[f.first], f.count, tap_session.failed);
}

static void main_change_state(enum tap_state state)
{
	WRITE_ONCE(tap_session.state, state);
	tap_session_wake();
	tap_contexts_wake();
}

/* ---- start and stop ---- */

static void main_time_over(struct work_struct *work)
{
	mutex_lock(&tap_session.lock);
	if (tap_session.state == TAP_RUNNING) {
		tap_message(TAP_ITEM_WARNING, "the session's time limit, %u s, has expired",
			    tap_session.owner.seconds);
		tap_session_stop(true);
	}
	mutex_unlock(&tap_session.lock);
}

static DECLARE_DELAYED_WORK(limit, main_time_over);

int tap_session_start(void)
{
	int err;

	tap_session.timing = tap_session.configuration.flags & TAP_SESSION_TIMING;
	tap_session.started = tap_clock();
	main_change_state(TAP_STARTING);
	__module_get(THIS_MODULE);	/* until it has stopped */
	err = tap_rows_start();
	if (err)
		goto failed;
	err = tap_contexts_start();
	if (err)
		goto failed;
	err = tap_locks_start();
	if (err)
		goto failed;
	err = tap_maps_start();
	if (err)
		goto failed;
	err = tap_sources_start();
	if (err)
		goto failed;
	err = tap_symbols_start();
	if (err)
		goto failed;
	err = main_attach();
	if (err)
		goto detach;
	main_run_begin();
	main_change_state(TAP_RUNNING);
	tap_rows_update();
	if (tap_session.owner.seconds)
		schedule_delayed_work(&limit, (unsigned long)tap_session.owner.seconds * HZ);
	return 0;

detach:
	main_detach();
	tap_symbols_stop();
failed:		/* the rings stay: they contain the error messages */
	main_change_state(TAP_FAILED);
	module_put(THIS_MODULE);
	return err;
}

void tap_session_stop(bool with_end)
{
	bool running = tap_session.state != TAP_LOADED;

	main_change_state(TAP_STOPPING);
	if (running) {
		tap_rows_stop();
		tap_user_stop();
		main_detach();
		if (tap_session.skips_exceeded)
			tap_message(TAP_ITEM_ERROR, "too many skipped probes: more than MAXSKIPPED (%u)",
				    tap_script.limits.skipped);
		if (with_end)
			main_run_end();
		tap_user_report();
		tap_symbols_stop();
		module_put(THIS_MODULE);
	}
	main_change_state(TAP_DRAINING);
}

/* ---- load and unload ---- */

static int __init main_init(void)
{
	int err;

	if (tap_script.abi_version != TAP_ABI_VERSION)
		return -ENOEXEC;
	tap_contexts_open();
	tap_raise_open();
	err = tap_clocks_open();
	if (err)
		return err;
	if (tap_script.init)
		tap_script.init();
	err = tap_rows_open();
	if (err)
		goto close_rows;
	err = tap_control_open();
	if (err)
		goto close_rows;
	err = tap_user_open(tap_control_directory());
	if (err)
		goto close_control;
	return 0;

close_control:
	tap_control_close();
close_rows:
	tap_rows_close();
	tap_clocks_close();
	return err;
}

static void main_close_families(void)
{
	for_each_family(f)
		if (f.ops->close)
			f.ops->close(&tap_rows[f.first], f.count);
}

/* Nothing holds the module, so the session is over or never began, and no file is open. The files are removed
 * first, then what they give access to. */
static void __exit main_exit(void)
{
	cancel_delayed_work_sync(&limit);
	tap_contexts_settle();
	tap_raise_settle();
	tap_control_close();
	main_close_families();
	tap_contexts_stop();
	tap_user_close();
	tap_sources_close();
	tap_maps_stop();
	tap_locks_stop();
	tap_rows_close();
	tap_clocks_close();
	tap_session_quiesce();
}

module_init(main_init);
module_exit(main_exit);
