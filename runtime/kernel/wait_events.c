// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's events of threads: switches, wake-ups, new names, work of workers. They call this file directly, without
 * a frame, as nothing in here can fail. Those of switches and wake-ups come with interrupts off. */
#include "wait_events.h"

#include <linux/irqflags.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/workqueue.h>
#include <asm/syscall.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include <trace/events/workqueue.h>

#include "chains.h"
#include "clock.h"
#include "compat.h"
#include "context.h"
#include "tracepoints.h"
#include "wait_origin.h"
#include "wait_thread.h"

/* ---- switches ---- */

/* Where the number of its system call is, or the place if it has none. */
static const int *wait_event_call(const struct task_struct *task)
{
	static const int none = TAP_PLACE_NONE, narrow = TAP_PLACE_NARROW;

	if (task->flags & TAP_NO_USER)
		return &none;
	return tap_is_32bit_program() ? &narrow : tap_call_number(task_pt_regs((struct task_struct *)task));
}

static noinline void wait_event_die(struct tap_wait_thread *t, u64 now)
{
	tap_wait_thread_ran(t, now);
	tap_wait_thread_end_name(t, now);
	tap_wait_history_account(&t->history);
	this_cpu_write(tap_wait_running, NULL);
	smp_store_release(&t->task, NULL);
}

static __always_inline void wait_event_leave(struct tap_wait_thread *t, const int *call, unsigned int state, u64 now,
					     u64 asleep)
{
	t->left = now;
	if (!state) {
		t->of.cause = TAP_CAUSE_NONE;
		return;
	}
	t->of.cause = TAP_CAUSE_MISSING;
	t->of.call = *call;
	smp_store_release(&t->asleep, asleep);	/* now it belongs to its waker */
}

static __always_inline void wait_event_arrive(struct tap_wait_thread *t, u64 now)
{
	const struct tap_wait_known *k = &t->known[t->of.cause % TAP_WAIT_KNOWN];
	u64 left = t->left;

	if (unlikely(k->of.both != t->of.both)) {
		tap_wait_thread_arrive(t, now);
		return;
	}
	if (!k->slept || !k->runnable)
		__builtin_unreachable();
	t->asleep = t->left = 0;
	tap_wait_history_add(&t->history, left, t->woken, now, k->ran, k->slept, k->runnable);
}

static noinline void wait_event_switched_otherwise(struct task_struct *from, struct task_struct *to, unsigned int state)
{
	struct tap_wait_thread *t = tap_wait_thread_current(from);
	const int *call = wait_event_call(from);
	u64 now = tap_clock();
	int locked;

	if (t) {
		tap_wait_thread_check_name(t, from);
		if (t->lock) {
			locked = tap_wait_place(*call) | TAP_CALL_LOCKED;
			call = &locked;
		}
		WRITE_ONCE(t->call, t->lock ? NULL : call);
		smp_mb();		/* pairs with wait_event_renames */
		if (READ_ONCE(t->renamed))
			WRITE_ONCE(t->call, NULL);
		if (state & TASK_DEAD)
			wait_event_die(t, now);
		else
			wait_event_leave(t, call, state, now, t->lock ? TAP_ASLEEP_LOCKED : now);
	}
	t = tap_wait_thread_search(to);
	this_cpu_write(tap_wait_running, t);
	if (t)
		wait_event_arrive(t, now);
}

/* What is usual needs no call and no stack. */
static void wait_event_switched(void *data, bool preempted, struct task_struct *from,
				struct task_struct *to TAP_SWITCH_MORE)
{
	struct tap_wait_thread *t = this_cpu_read(tap_wait_running), *next;
	unsigned int state = preempted ? 0 : tap_task_state(from);
	u64 rate = READ_ONCE(tap_clock_base.rate), now;
	const int *call;

	if (!READ_ONCE(tap_wait_active))
		return;
	next = tap_wait_thread_bucket(to);
	call = likely(t) ? READ_ONCE(t->call) : NULL;
	if (unlikely(!call || t->task != from || smp_load_acquire(&next->task) != to || !rate || state & TASK_DEAD)) {
		wait_event_switched_otherwise(from, to, state);
		return;
	}
	now = tap_clock_counted(tap_cycles_ordered(), rate);
	wait_event_leave(t, call, state, now, now);
	this_cpu_write(tap_wait_running, next);
	wait_event_arrive(next, now);
}

/* ---- wake-ups ---- */

static void wait_event_cause(struct tap_wait_thread *waker, u64 since, u64 now, struct tap_wait_sums *to)
{
	if (!tap_wait_origin_is_thread()) {
		tap_wait_sums_add(to, tap_wait_origin(), now - min(now, since));
	} else if (!waker) {
		tap_wait_sums_add(to, tap_chain_of(TAP_CHAIN_MORE, 0, TAP_PLACE_NONE, 0), now - min(now, since));
	} else {
		tap_wait_thread_check_name(waker, current);
		tap_wait_thread_collect(waker, since, now, to);
	}
}

/* Who wakes up a thread that waits for a lock has held it, unless it sends a signal, or waits for one itself. */
static bool wait_event_is_holder(const struct tap_wait_thread *waker, struct task_struct *task)
{
	return tap_wait_origin_is_thread() && waker && !waker->lock && !test_tsk_thread_flag(task, TIF_SIGPENDING);
}

/* A thread that wakes itself up is on its way to sleep, and will not. */
static noinline void wait_event_wakes(struct task_struct *task)
{
	struct tap_wait_thread *t = task == current ? NULL : tap_wait_thread_search(task);
	struct tap_wait_thread *waker = tap_wait_thread_current(current);
	struct tap_wait_sums from;
	u64 now = tap_clock(), asleep;

	if (!t)
		return;
	asleep = smp_load_acquire(&t->asleep);
	from.used = 0;
	wait_event_cause(waker, asleep ? t->left : now, now, &from);
	if (asleep) {
		if (tap_wait_is_locked(t) && !wait_event_is_holder(waker, task))
			t->of.call &= ~TAP_CALL_LOCKED;
		tap_wait_thread_end_wait(t, now, &from);
	} else {
		WRITE_ONCE(t->early, from.chains[0]);
		WRITE_ONCE(t->early_at, now);
	}
}

/* Nothing runs on this CPU but a thread. Otherwise it has to be found out. */
static __always_inline bool wait_event_is_surely_thread(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && !(preempt_count() & TAP_LEVEL_BITS) && !tap_is_on_irq_stack();
}

/* The usual waker is a thread that has run all the time. */
static void wait_event_waking(void *data, struct task_struct *task)
{
	const struct tap_wait_thread *waker = this_cpu_read(tap_wait_running);
	u64 rate = READ_ONCE(tap_clock_base.rate);
	struct tap_wait_thread *t;
	u32 cause;

	if (!READ_ONCE(tap_wait_active))
		return;
	t = tap_wait_thread_bucket(task);
	if (likely(waker && waker->task == current && smp_load_acquire(&t->task) == task && rate &&
		   !tap_wait_settings.least_ns && wait_event_is_surely_thread() &&
		   waker->history.end <= smp_load_acquire(&t->asleep))) {
		cause = READ_ONCE(waker->running);
		if (likely(cause)) {
			t->woken = tap_clock_counted(tap_cycles_ordered(), rate);
			t->of.cause = cause;
			return;
		}
	}
	wait_event_wakes(task);
}

static void wait_event_new(void *data, struct task_struct *task)
{
	const struct tap_wait_thread *parent;
	struct tap_wait_thread *t;

	if (!READ_ONCE(tap_wait_active))
		return;
	parent = tap_wait_thread_find(current);
	t = tap_wait_thread_search(task);
	if (t)
		tap_wait_thread_begin(t, task, parent);
}

/* ---- the work of a worker ---- */

/* A worker has the name of its work. */
static void wait_event_work(unsigned long function)
{
	unsigned long flags;
	struct tap_wait_thread *t;
	u64 now;

	if (!READ_ONCE(tap_wait_active))
		return;
	local_irq_save(flags);
	now = tap_clock();
	t = tap_wait_thread_current(current);
	if (t) {
		tap_wait_thread_ran(t, now);
		t->unseen = false;
		tap_wait_thread_end_name(t, now);
		tap_wait_thread_set_name(t, function ? tap_chain_function(function) : t->own_name);
	}
	local_irq_restore(flags);
}

static void wait_event_renames(void *data, struct task_struct *task, const char *name)
{
	struct tap_wait_thread *t = READ_ONCE(tap_wait_active) ? tap_wait_thread_find(task) : NULL;

	if (!t)
		return;
	WRITE_ONCE(t->renamed, TAP_WAIT_RENAMED);
	WRITE_ONCE(t->running, 0);
	smp_store_release(&t->call, NULL);
}

static void wait_event_executes(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *program)
{
	unsigned long flags;
	struct tap_wait_thread *t;

	if (!READ_ONCE(tap_wait_active))
		return;
	local_irq_save(flags);
	t = tap_wait_thread_current(task);
	if (t) {
		WRITE_ONCE(t->call, NULL);
		tap_wait_thread_forget_slots(t);
	}
	local_irq_restore(flags);
}

static void wait_event_work_starts(void *data, struct work_struct *work)
{
	wait_event_work((unsigned long)work->func);
}

static void wait_event_work_ends(void *data, struct work_struct *work, work_func_t function)
{
	wait_event_work(0);
}

/* ---- the kernel's events ---- */

static struct tap_listener listeners[] = {
	{ "sched_switch", wait_event_switched }, { "sched_waking", wait_event_waking },
	{ "sched_wakeup_new", wait_event_new },
	{ "sched_process_exec", wait_event_executes }, { "task_rename", wait_event_renames },
	{ "workqueue_execute_start", wait_event_work_starts }, { "workqueue_execute_end", wait_event_work_ends },
};

/* The compiler compares the types. */
static void __maybe_unused wait_event_check_types(void)
{
	check_trace_callback_type_sched_switch(wait_event_switched);
	check_trace_callback_type_sched_waking(wait_event_waking);
	check_trace_callback_type_sched_wakeup_new(wait_event_new);
	check_trace_callback_type_sched_process_exec(wait_event_executes);
	check_trace_callback_type_task_rename(wait_event_renames);
	check_trace_callback_type_workqueue_execute_start(wait_event_work_starts);
	check_trace_callback_type_workqueue_execute_end(wait_event_work_ends);
}

int tap_wait_events_start(void)
{
	return tap_wait_origin_start() ?: tap_listeners_start(listeners, ARRAY_SIZE(listeners));
}

void tap_wait_events_stop(void)
{
	tap_listeners_stop(listeners, ARRAY_SIZE(listeners));
	tap_wait_origin_stop();
}
