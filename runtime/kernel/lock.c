// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks of the script's globals: many readers or one writer, spinning for a bounded time, then giving up. The
 * kernel's own locks are unsuitable: they have tracepoints (lockdep), they can be probed, and they wait forever.
 *
 * A holder never sleeps or migrates, because a handler has preemption off. But a CPU can wait for itself: an
 * interrupt's handler may need a lock that the handler below it holds. It detects that in its CPU's frames
 * and gives up at once; regions without a loop are short and run with interrupts off, so that this cannot happen
 * there. An NMI tries once.
 *
 * All locks of a region are taken in the order of their numbers. */
#include <linux/irqflags.h>

#include "context.h"
#include "probe.h"
#include "lock.h"

enum {
	TRY_NS = 10000,			/* one of limits.lock_tries, as udelay(10) in SystemTap */
	SLICE_NS = 100 * NSEC_PER_MSEC,	/* time that a virtual machine's host may take a holder's CPU away */
};

struct lock {
	atomic_t value;		/* readers, or -1: a writer */
} ____cacheline_aligned_in_smp;

static struct lock *locks;

int tap_locks_start(void)
{
	BUILD_BUG_ON(sizeof(*locks) > TAP_LOCK_BYTES);
	locks = tap_zalloc(tap_script.lock_count * sizeof(*locks), NUMA_NO_NODE);
	return locks ? 0 : -ENOMEM;
}

void tap_locks_stop(void)
{
	tap_zfree(locks, tap_script.lock_count * sizeof(*locks));
	locks = NULL;
}

static __always_inline bool lock_try(struct lock *l, bool write)
{
	int value = atomic_read(&l->value);

	if (write)
		return value == 0 && atomic_cmpxchg_acquire(&l->value, 0, -1) == 0;
	while (value >= 0)
		if (atomic_try_cmpxchg_acquire(&l->value, &value, value + 1))
			return true;
	return false;
}

static __always_inline void lock_put(struct lock *l, bool write)
{
	if (write)
		atomic_set_release(&l->value, 0);
	else
		atomic_dec_return_release(&l->value);
}

static __always_inline void lock_put_all(const struct tap_lock_need *need, u32 n)
{
	while (n--)
		lock_put(&locks[need[n].lock], need[n].write);
}

/* A handler below us on this CPU cannot release its locks before we return. */
static bool lock_is_held_below(const struct tap_frame *f, const struct tap_lock_need *need)
{
	for (u32 level = 0; level < f->level; level++) {
		const struct tap_frame *below = this_cpu_read(tap_cpu.frames[level]);

		for (u32 i = 0; i < below->held_count; i++)
			if (below->held[i].lock == need->lock && (below->held[i].write || need->write))
				return true;
	}
	return false;
}

/* In tap_cycles. */
static u64 lock_patience(void)
{
	u64 ns = (u64)TRY_NS * tap_script.limits.lock_tries;

	if (tap_script.limits.suppress_time_limits)	/* that is, of MAXTRYLOCK: multiplied by 100 */
		ns *= 100;
	if (tap_is_virtual_machine())
		ns += SLICE_NS;
	return div_u64(tap_cycles_rate(), USEC_PER_SEC) * div_u64(ns, NSEC_PER_USEC);
}

static bool lock_wait(const struct tap_frame *f, const struct tap_lock_need *need)
{
	struct lock *l = &locks[need->lock];
	u64 most = lock_patience(), start = tap_cycles();

	if (f->level == TAP_LEVELS - 1 || lock_is_held_below(f, need))
		return false;
	do {
		if (lock_try(l, need->write))
			return true;
		cpu_relax();
	} while (tap_cycles() - start < most);
	return false;
}

/* Takes the locks from number I on, waiting for each. */
static noinline bool lock_from(const struct tap_frame *f, const struct tap_lock_need *need, u32 n, u32 i)
{
	for (; i < n; i++) {
		if (lock_try(&locks[need[i].lock], need[i].write) || lock_wait(f, &need[i]))
			continue;
		lock_put_all(need, i);
		return false;
	}
	return true;
}

static noinline bool lock_fail(struct tap_frame *f)
{
	if (f->asks) {
		f->undecided = true;
		return false;
	}
	if (!f->c.entering)	/* at an entry the return would count as the hit */
		this_cpu_dec(f->row->count->hits);
	tap_skip(f->row, TAP_SKIP_LOCK);
	return false;
}

bool tap_lock(struct tap_context *c, const struct tap_lock_need *need, u32 n, bool brief)
{
	struct tap_frame *f = tap_frame(c);
	unsigned long flags = 0;

	if (brief)
		raw_local_irq_save(flags);
	f->held = need;		/* for an interrupt's handler: the locks taken or about to be taken */
	barrier();
	f->held_count = n;
	f->held_flags = flags;
	if (likely(lock_try(&locks[need->lock], need->write))) {
		if (likely(n == 1) || lock_from(f, need, n, 1))
			return true;
	} else if (lock_from(f, need, n, 0)) {
		return true;
	}
	f->held_count = 0;
	if (brief)
		raw_local_irq_restore(flags);
	return lock_fail(f);
}

void tap_unlock(struct tap_context *c, const struct tap_lock_need *need, u32 n, bool brief)
{
	struct tap_frame *f = tap_frame(c);

	lock_put(&locks[need->lock], need->write);
	if (unlikely(n > 1))
		lock_put_all(need + 1, n - 1);
	f->held_count = 0;
	if (brief)
		raw_local_irq_restore(f->held_flags);
}

/* Most regions are like this. With interrupts off only an NMI's handler can run on top, and that never waits, so
 * the locks held need not be recorded. */
static noinline bool lock_one_slow(struct tap_frame *f, const struct tap_lock_need *need)
{
	if (lock_wait(f, need))
		return true;
	raw_local_irq_restore(f->held_flags);
	return lock_fail(f);
}

bool tap_lock_one(struct tap_context *c, const struct tap_lock_need *need)
{
	struct tap_frame *f = tap_frame(c);
	unsigned long flags;

	raw_local_irq_save(flags);
	f->held_flags = flags;
	return likely(lock_try(&locks[need->lock], need->write)) || lock_one_slow(f, need);
}

void tap_unlock_one(struct tap_context *c, const struct tap_lock_need *need)
{
	lock_put(&locks[need->lock], need->write);
	raw_local_irq_restore(tap_frame(c)->held_flags);
}
