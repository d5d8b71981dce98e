/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of each thread. It has a history: pieces of time, each with a chain (chains.h) that says what it did or
 * waited for. When it is woken up, its wait is divided as the history of the waking thread divides the same time: what
 * that one waited for, this one waited for, too. An interrupt that wakes it up ends the chain. So the pieces of a
 * thread add up to its wall time.
 *
 * A waker only writes down its chain, if it has one for all the time of the wait, and the thread that was woken up
 * adds a turn to its history when it runs again. There are no locks: the scheduler's own keep two CPUs from using a
 * thread's record at the same time. It belongs to the CPU on which the thread runs; if the thread sleeps, to the one
 * that wakes it up, which holds its pi_lock; if it is runnable, to the one that switches to it next. A waker reads only
 * the history of the thread on its own CPU. Only a thread on its way to sleep may be woken up before its switch is
 * reported: until its record says that it is asleep, a waker leaves nothing but two words for it. What a missed event
 * breaks is a wrong number, nothing else. */
#ifndef TAP_WAIT_THREAD_H
#define TAP_WAIT_THREAD_H

#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "chains.h"
#include "wait_history.h"

enum {
	TAP_WAIT_BUCKET_BITS = 10, TAP_WAIT_WAYS = 4,
	TAP_WAIT_THREADS = TAP_WAIT_WAYS << TAP_WAIT_BUCKET_BITS,
	TAP_WAIT_KNOWN = 4,		/* a power of two */
	TAP_WAIT_RENAMED = 2,		/* how often a name is compared until it has changed */
};

enum {
	TAP_CALL_LOCKED = 1 << 16,	/* added to the place: waits there for a lock */
	TAP_ASLEEP_LOCKED = 1,		/* instead of a time: since the thread has left its CPU */
};

/* Instead of a thread's cause. */
enum {
	TAP_CAUSE_MISSING,		/* it sleeps, or nobody woke it up after its switch */
	TAP_CAUSE_NONE = TAP_CHAINS,	/* it did not sleep */
	TAP_CAUSE_ADDED,		/* the wait is in its history already */
	TAP_CAUSE_UNSEEN,		/* nothing is known since the start */
};

/* What a thread waits for: the chain, and the system call in which it sleeps, its number or its place. */
union tap_wait_for {
	struct { u32 cause, call; };
	u64 both;
};

/* The slots of a turn with this wait; U64_MAX: none. They are slots of the record at any time, also if another CPU uses
 * it. */
struct tap_wait_known {
	union tap_wait_for of;
	struct tap_wait_slot *ran, *slept, *runnable;
};

struct tap_wait_thread {
	struct task_struct *task;	/* NULL: free */
	/* the first that is cleared for a new thread */
	u64 asleep;			/* since when, or TAP_ASLEEP_LOCKED; 0: not, or it runs already */
	u64 left, woken;		/* when it left its last CPU, 0: it runs; and when it was woken up since then */
	union tap_wait_for of;
	u32 running;			/* the chain of its time on a CPU; 0: has to be found */
	const int *call;		/* where the number of its system call is; NULL: has to be found */
	struct tap_wait_known known[TAP_WAIT_KNOWN];
	u8 renamed;			/* TAP_WAIT_RENAMED: its name may change; others write this, running, call */
	bool unseen, over, followed;
	u16 name;			/* work's function, or that of the thread */
	u16 own_name;
	u32 early;			/* chain of the waker, if it was woken up before it slept */
	u64 early_at;
	const void *lock;		/* that it is about to wait for, or does */
	u32 lock_flags;			/* LCB_F_... */
	u64 comm[2];
	u32 added;			/* pieces of the last wait that were added before it ran again */
	u64 named;			/* since when it has this name */
	struct tap_wait_history history;
} ____cacheline_aligned;

/* Which threads' time is added up: see tap_waitchain_start. */
struct tap_wait_settings {
	u64 started, least_ns;
	pid_t pid, target;
	u32 name;
	bool names_all;
};

extern struct tap_wait_settings tap_wait_settings;
extern bool tap_wait_active;		/* the kernel's events change records */
extern atomic64_t tap_wait_missed;	/* events that were not recorded */
extern struct tap_wait_thread *tap_wait_threads;	/* by hash */
DECLARE_PER_CPU(struct tap_wait_thread *, tap_wait_running);	/* NULL: idle or unknown */

/* Whether it belongs to the process, or is the target or a descendant of it. Preemption is off. */
bool tap_wait_is_wanted(struct task_struct *task);

/* NULL: it has no record. */
struct tap_wait_thread *tap_wait_thread_find(const struct task_struct *task);
/* It gets one. With interrupts off. NULL: there is no room, or it is the idle one. */
struct tap_wait_thread *tap_wait_thread_search(struct task_struct *task);
/* It is new. PARENT: NULL if that one has no record. */
void tap_wait_thread_begin(struct tap_wait_thread *t, struct task_struct *task, const struct tap_wait_thread *parent);

/* Its name has changed if the kernel said so. */
void tap_wait_thread_check_name(struct tap_wait_thread *t, const struct task_struct *task);
/* What was added belongs to the name until now. */
void tap_wait_thread_end_name(struct tap_wait_thread *t, u64 now);
void tap_wait_thread_set_name(struct tap_wait_thread *t, u32 name);
/* What is known of its turns is out of date. */
void tap_wait_thread_forget_slots(struct tap_wait_thread *t);

/* It ran since the last piece. */
void tap_wait_thread_ran(struct tap_wait_thread *t, u64 until);
/* Adds what it did since BEGIN; it runs. */
void tap_wait_thread_collect(struct tap_wait_thread *t, u64 begin, u64 now, struct tap_wait_sums *to);
/* It sleeps until NOW, when it is woken up after each of the chains FROM, the youngest first. */
void tap_wait_thread_end_wait(struct tap_wait_thread *t, u64 now, const struct tap_wait_sums *from);
/* The same, whose pieces are added at once. */
void tap_wait_thread_add_wait(struct tap_wait_thread *t, u64 now, const struct tap_wait_sums *from);
/* It runs again: it was preempted, or its turn is not a usual one. */
void tap_wait_thread_arrive(struct tap_wait_thread *t, u64 now);
/* A turn: it ran, slept until WOKEN for the chain REST, if not 0, and was runnable. */
void tap_wait_thread_add(struct tap_wait_thread *t, u32 rest, u64 woken, u64 now);

static inline u32 tap_wait_place(u32 call)
{
	return (s32)call < 0 ? TAP_PLACE_FAULT : min_t(u32, call & ~TAP_CALL_LOCKED, TAP_PLACE_NONE);
}

static inline bool tap_wait_is_locked(const struct tap_wait_thread *t)
{
	return (s32)t->of.call >= 0 && t->of.call & TAP_CALL_LOCKED;
}

/* Its place, or that of one of the next TAP_WAIT_WAYS - 1 threads. */
static __always_inline struct tap_wait_thread *tap_wait_thread_bucket(const struct task_struct *task)
{
	return &tap_wait_threads[hash_ptr(task, TAP_WAIT_BUCKET_BITS) * TAP_WAIT_WAYS];
}

/* That of the thread that this CPU runs. */
static __always_inline struct tap_wait_thread *tap_wait_thread_current(struct task_struct *task)
{
	struct tap_wait_thread *t = this_cpu_read(tap_wait_running);

	return likely(t && t->task == task) ? t : tap_wait_thread_search(task);
}

#endif
