// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks for which threads wait. */
#include "wait_lock.h"

#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/uaccess.h>
#include <trace/events/lock.h>

#include "compat.h"
#include "context.h"
#include "tracepoints.h"

#if TAP_CONTENTION
/* This CPU's thread is about to wait for a lock, and may spin first. */
static void wait_lock_contends(void *data, void *lock, unsigned int what)
{
	unsigned long flags;
	struct tap_wait_thread *t;

	if (!READ_ONCE(tap_wait_active) || (what & LCB_F_SPIN && !(what & LCB_F_MUTEX)) ||
	    preempt_count() & TAP_LEVEL_BITS)
		return;
	local_irq_save(flags);
	t = tap_wait_thread_current(current);
	if (t) {
		t->lock = lock;
		t->lock_flags = what;
		WRITE_ONCE(t->call, NULL);
	}
	local_irq_restore(flags);
}

static void wait_lock_is_taken(void *data, void *lock, int result)
{
	unsigned long flags;
	struct tap_wait_thread *t;

	local_irq_save(flags);
	t = this_cpu_read(tap_wait_running);
	if (t && t->task == current && t->lock == lock)
		t->lock = NULL;
	local_irq_restore(flags);
}

/* Where the lock for which T waits has the task that holds it, with other bits. */
static const void *wait_lock_owner_place(const struct tap_wait_thread *t)
{
	if (t->lock_flags & LCB_F_RT)
		return &((const struct rt_mutex_base *)t->lock)->owner;
#ifndef CONFIG_PREEMPT_RT
	if (t->lock_flags & LCB_F_MUTEX)
		return &((const struct mutex *)t->lock)->owner;
	if (!(t->lock_flags & LCB_F_PERCPU))
		return &((const struct rw_semaphore *)t->lock)->owner;
#endif
	return NULL;
}

static struct tap_listener listeners[] = {
	{ "contention_begin", wait_lock_contends }, { "contention_end", wait_lock_is_taken },
};

static void __maybe_unused wait_lock_check_types(void)
{
	check_trace_callback_type_contention_begin(wait_lock_contends);
	check_trace_callback_type_contention_end(wait_lock_is_taken);
}

int tap_wait_lock_start(void) { return tap_listeners_start(listeners, ARRAY_SIZE(listeners)); }
void tap_wait_lock_stop(void) { tap_listeners_stop(listeners, ARRAY_SIZE(listeners)); }
#else
static const void *wait_lock_owner_place(const struct tap_wait_thread *t) { return NULL; }
int tap_wait_lock_start(void) { return 0; }
void tap_wait_lock_stop(void) { }
#endif

/* The holder of the lock for which T waits; NULL: none, or not known. The lock may be gone by now. */
struct tap_wait_thread *tap_wait_lock_owner(const struct tap_wait_thread *t)
{
	enum { BITS = 7 };
	const void *place = t->lock && tap_wait_is_locked(t) ? wait_lock_owner_place(t) : NULL;
	unsigned long owner;

	if (t->of.cause != TAP_CAUSE_MISSING || !place || copy_from_kernel_nofault(&owner, place, sizeof(owner)))
		return NULL;
	owner &= ~(unsigned long)BITS;
	return owner ? tap_wait_thread_find((const struct task_struct *)owner) : NULL;
}
