// SPDX-License-Identifier: GPL-2.0-or-later
/* See recorder.h. The kernel's events call this file directly, without a frame, as nothing in here can fail. */
#include "recorder.h"

#include <linux/interrupt.h>
#include <asm/syscall.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "clock.h"
#include "compat.h"
#include "context.h"
#include "core/string.h"
#include "event_names.h"
#include "history.h"
#include "snapshot.h"
#include "tracepoints.h"

enum { MOST_MEGABYTES = 1 << 20 };

static bool active;

/* ---- the kernel's events ---- */

static void recorder_switched(void *data, bool preempted, struct task_struct *from,
			      struct task_struct *to TAP_SWITCH_MORE)
{
	tap_history_write(preempted || !tap_task_state(from) ? TAP_RECORDED_PREEMPT : TAP_RECORDED_SLEEP, to->pid);
}

static void recorder_waking(void *data, struct task_struct *task)
{
	tap_history_write(TAP_RECORDED_WAKE, task->pid);
}

static void recorder_new(void *data, struct task_struct *task)
{
	tap_history_write(TAP_RECORDED_NEW, task->pid);
}

static u32 recorder_call_number(long number)
{
	return (number & (TAP_RECORDED_NARROW - 1)) | (tap_is_32bit_program() ? TAP_RECORDED_NARROW : 0);
}

/* The kernel may call these with preemption on, since 6.13. */
static void recorder_called(void *data, struct pt_regs *regs, long number)
{
	preempt_disable_notrace();
	tap_history_write(TAP_RECORDED_CALL, recorder_call_number(number));
	preempt_enable_notrace();
}

static void recorder_returned(void *data, struct pt_regs *regs, long result)
{
	preempt_disable_notrace();
	tap_history_write(TAP_RECORDED_RETURN, recorder_call_number(syscall_get_nr(current, regs)));
	preempt_enable_notrace();
}

static void recorder_faulted(void *data, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	tap_history_write(TAP_RECORDED_FAULT_USER, 0);
}

static void recorder_faulted_in_kernel(void *data, unsigned long address, struct pt_regs *regs, unsigned long error)
{
	tap_history_write(TAP_RECORDED_FAULT_KERNEL, 0);
}

static void recorder_irq_starts(void *data, int irq, struct irqaction *action)
{
	tap_history_write(TAP_RECORDED_IRQ, irq);
}

static void recorder_irq_ends(void *data, int irq, struct irqaction *action, int result)
{
	tap_history_write(TAP_RECORDED_IRQ_END, irq);
}

static void recorder_softirq_starts(void *data, unsigned int vector)
{
	tap_history_write(TAP_RECORDED_SOFTIRQ, vector);
}

static void recorder_softirq_ends(void *data, unsigned int vector)
{
	tap_history_write(TAP_RECORDED_SOFTIRQ_END, vector);
}

/* A snapshot knows the names of threads that exist when it is read; others have left theirs here. */
static void recorder_exited(void *data, struct task_struct *task TAP_EXIT_MORE)
{
	u64 more[3] = { task->tgid };

	BUILD_BUG_ON(TASK_COMM_LEN != 2 * sizeof(u64));
	memcpy(more + 1, task->comm, TASK_COMM_LEN);
	preempt_disable_notrace();
	tap_history_write_words(tap_recorded_words(TAP_RECORDED_EXIT), TAP_RECORDED_EXIT, task->pid, more);
	preempt_enable_notrace();
}

static struct tap_listener switches[] = {
	{ "sched_switch", recorder_switched }, { "sched_process_exit", recorder_exited },
};
static struct tap_listener wakeups[] = {
	{ "sched_waking", recorder_waking }, { "sched_wakeup_new", recorder_new },
};
static struct tap_listener calls[] = {
	{ "sys_enter", recorder_called }, { "sys_exit", recorder_returned },
};
static struct tap_listener faults[] = {
	{ "page_fault_user", recorder_faulted }, { "page_fault_kernel", recorder_faulted_in_kernel },
};
static struct tap_listener interrupts[] = {
	{ "irq_handler_entry", recorder_irq_starts }, { "irq_handler_exit", recorder_irq_ends },
	{ "softirq_entry", recorder_softirq_starts }, { "softirq_exit", recorder_softirq_ends },
};

/* The compiler compares the types. Those of page faults are in a header of some architectures. */
static void __maybe_unused recorder_check_types(void)
{
	check_trace_callback_type_sched_switch(recorder_switched);
	check_trace_callback_type_sched_process_exit(recorder_exited);
	check_trace_callback_type_sched_waking(recorder_waking);
	check_trace_callback_type_sched_wakeup_new(recorder_new);
	check_trace_callback_type_sys_enter(recorder_called);
	check_trace_callback_type_sys_exit(recorder_returned);
	check_trace_callback_type_irq_handler_entry(recorder_irq_starts);
	check_trace_callback_type_irq_handler_exit(recorder_irq_ends);
	check_trace_callback_type_softirq_entry(recorder_softirq_starts);
	check_trace_callback_type_softirq_exit(recorder_softirq_ends);
}

static const struct recorder_group {
	const char *name;
	struct tap_listener *list;
	u32 count;
	bool may_lack;		/* not all architectures have them */
} groups[] = {
	{ "switches", switches, ARRAY_SIZE(switches) },
	{ "wakeups", wakeups, ARRAY_SIZE(wakeups) },
	{ "calls", calls, ARRAY_SIZE(calls) },
	{ "faults", faults, ARRAY_SIZE(faults), true },
	{ "interrupts", interrupts, ARRAY_SIZE(interrupts) },
};

/* ---- the script's events ---- */

void tap_recorder_add(struct tap_string name, s64 value)
{
	u64 more = value;

	if (smp_load_acquire(&active))
		tap_history_write_words(tap_recorded_words(TAP_RECORDED_VALUE), TAP_RECORDED_VALUE,
					tap_event_name(name), &more);
}

bool tap_recorder_snapshot(s64 ns)
{
	return READ_ONCE(active) && tap_snapshot_request(ns);
}

/* ---- starting ---- */

static bool recorder_takes_word(const struct recorder_group *g, const char **word, u32 *left)
{
	u32 size = strlen(g->name);

	if (*left < size || memcmp(*word, g->name, size) || (*left > size && (*word)[size] != ' '))
		return false;
	*word += size;
	*left -= size;
	return true;
}

/* The groups in WHAT as bits; -EINVAL: another word. */
static int recorder_groups(struct tap_string what)
{
	const char *word = what.data;
	u32 left = what.size;
	int chosen = what.size ? 0 : (1 << ARRAY_SIZE(groups)) - 1;

	while (left) {
		u32 i = 0;

		if (*word == ' ') {
			word++;
			left--;
			continue;
		}
		while (i < ARRAY_SIZE(groups) && !recorder_takes_word(&groups[i], &word, &left))
			i++;
		if (i == ARRAY_SIZE(groups))
			return -EINVAL;
		chosen |= 1 << i;
	}
	return chosen;
}

static int recorder_listen(int chosen)
{
	int err = 0;

	for (u32 i = 0; i < ARRAY_SIZE(groups) && !err; i++) {
		if (chosen & 1 << i)
			err = tap_listeners_start(groups[i].list, groups[i].count);
		if (err == -ENOENT && groups[i].may_lack)
			err = 0;
	}
	return err;
}

static void recorder_stop(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++)
		tap_listeners_stop(groups[i].list, groups[i].count);
}

static void recorder_free(void)
{
	WRITE_ONCE(active, false);
	tap_history_free();
	tap_event_names_free();
}

static int recorder_begin(u64 megabytes, int chosen)
{
	int err = tap_event_names_allocate() ?: tap_history_allocate(megabytes << 20) ?: recorder_listen(chosen);

	if (err) {
		recorder_stop();
		recorder_free();
	} else {
		smp_store_release(&active, true);		/* after what was allocated */
	}
	return err;
}

/* Sleeps, as transport_await_room() does. */
void tap_recorder_start(struct tap_context *c, s64 megabytes, struct tap_string what)
{
	struct tap_frame *f = tap_frame(c);
	int chosen = recorder_groups(what), err;

	if (chosen < 0) {
		tap_error(c, "recorder_start() has no events '%.*s': switches wakeups calls faults interrupts",
			  (int)min_t(u64, what.size, 100), what.data);
	} else if (!tap_may_wait(f) || active) {
		tap_error(c, "recorder_start() is for a probe of begin, once");
	} else if (megabytes < 1 || megabytes > MOST_MEGABYTES) {
		tap_error(c, "the recorder can have 1 to %d MB, not %lld", MOST_MEGABYTES, megabytes);
	} else {
		tap_ring_rest(f);
		preempt_enable_notrace();
		err = recorder_begin(megabytes, chosen);
		preempt_disable_notrace();
		tap_ring_rest(f);
		f->rested = (u32)tap_cycles();
		if (err == -ENOMEM)
			tap_error(c, "not enough kernel memory for a recorder of %lld MB", megabytes);
		else if (err)
			tap_error(c, "the recorder cannot start with %lld MB on %u processors (error %d)", megabytes,
				  num_online_cpus(), err);
	}
}

/* ---- the service ---- */

static int recorder_obey(void)
{
	if (!READ_ONCE(active))
		return -ENODEV;
	return tap_snapshot_request(0) ? 0 : -EBUSY;
}

static void recorder_close(void)
{
	recorder_stop();
	tap_snapshot_close();
	recorder_free();
}

const struct tap_service tap_recorder_service = {
	.publish = tap_snapshot_publish, .stop = recorder_stop, .close = recorder_close, .snapshot = recorder_obey,
	.follows_all = true };
