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

enum {
	TRY_NS = 10000,			/* one of limits.lock_tries, as udelay(10) in SystemTap */
	SLICE_NS = 100 * NSEC_PER_MSEC,	/* time that a virtual machine's host may take a holder's CPU away */
	LEAST_TRIES = 16,		/* it may take away this CPU as well, and does not count as time to wait */
};

static __always_inline atomic_t *lock_value(struct tap_lock *l)
{
	BUILD_BUG_ON(sizeof(l->value) != sizeof(atomic_t));
	return (atomic_t *)&l->value;
}

/* Without reading the lock first: only loops that wait do that. */
static __always_inline bool lock_try_write(struct tap_lock *l)
{
	return atomic_cmpxchg_acquire(lock_value(l), 0, -1) == 0;
}

static __always_inline bool lock_try_read(struct tap_lock *l)
{
	int value = atomic_read(lock_value(l));

	while (value >= 0)
		if (likely(atomic_try_cmpxchg_acquire(lock_value(l), &value, value + 1)))
			return true;
	return false;
}

static __always_inline bool lock_try(struct tap_lock *l, bool write)
{
	return write ? lock_try_write(l) : lock_try_read(l);
}

static __always_inline void lock_put_write(struct tap_lock *l)
{
	atomic_set_release(lock_value(l), 0);
}

static __always_inline void lock_put_read(struct tap_lock *l)
{
	atomic_dec_return_release(lock_value(l));
}

static __always_inline void lock_put(struct tap_lock *l, bool write)
{
	if (write)
		lock_put_write(l);
	else
		lock_put_read(l);
}

static __always_inline void lock_put_all(const struct tap_lock_need *need, u32 n)
{
	while (n--)
		lock_put(need[n].lock, need[n].write);
}

/* A handler below us on this CPU cannot release its locks before we return. */
static bool lock_is_held_below(const struct tap_frame *f, const struct tap_lock *lock, bool write)
{
	for (u32 level = 0; level < f->level; level++) {
		const struct tap_frame *below = this_cpu_read(tap_cpu.frames[level]);

		for (u32 i = 0; i < below->held_count; i++)
			if (below->held[i].lock == lock && (below->held[i].write || write))
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

static bool lock_wait(const struct tap_frame *f, struct tap_lock *l, bool write)
{
	u64 most = lock_patience(), step = div_u64(most, LEAST_TRIES), waited = 0, last = tap_cycles(), now;

	if (f->level == TAP_LEVELS - 1 || lock_is_held_below(f, l, write))
		return false;
	do {
		if ((!write || !atomic_read(lock_value(l))) && lock_try(l, write))
			return true;
		cpu_relax();
		now = tap_cycles();
		waited += min(now - last, step);
		last = now;
	} while (waited < most);
	return false;
}

/* Takes the locks from number I on, waiting for each. */
static noinline bool lock_from(const struct tap_frame *f, const struct tap_lock_need *need, u32 n, u32 i)
{
	for (; i < n; i++) {
		if (lock_try(need[i].lock, need[i].write) || lock_wait(f, need[i].lock, need[i].write))
			continue;
		lock_put_all(need, i);
		return false;
	}
	return true;
}

static noinline bool lock_fail(struct tap_frame *f)
{
	if (f->c.fetch == TAP_FETCH_WANTED)	/* the handler runs again */
		return false;
	if (f->asks) {
		f->undecided = true;
		return false;
	}
	if (!f->c.entering)	/* at an entry the return would count as the hit */
		this_cpu_dec(f->row->count->hits);
	tap_skip(f->row, TAP_SKIP_LOCK);
	return false;
}

static bool lock_is_brief(enum tap_region region)
{
	return region == TAP_REGION_BRIEF || (region == TAP_REGION_BRIEF_STACK && !IS_ENABLED(CONFIG_PREEMPT_RT));
}

bool tap_lock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region)
{
	bool brief = lock_is_brief(region);
	struct tap_frame *f = tap_frame(c);
	unsigned long flags = 0;

	if (brief)
		raw_local_irq_save(flags);
	f->held = need;		/* for an interrupt's handler: the locks taken or about to be taken */
	barrier();
	f->held_count = n;
	f->held_flags = flags;
	if (likely(lock_try(need->lock, need->write))) {
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

void tap_unlock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region)
{
	struct tap_frame *f = tap_frame(c);

	lock_put(need->lock, need->write);
	if (unlikely(n > 1))
		lock_put_all(need + 1, n - 1);
	f->held_count = 0;
	if (lock_is_brief(region))
		raw_local_irq_restore(f->held_flags);
}

/* Most regions are like this. With interrupts off only an NMI's handler can run on top, and that never waits, so
 * the locks held need not be recorded. */
static noinline bool lock_brief_slow(struct tap_frame *f, struct tap_lock *l, bool write)
{
	if (lock_wait(f, l, write))
		return true;
	raw_local_irq_restore(f->held_flags);
	return lock_fail(f);
}

static __always_inline bool lock_brief(struct tap_context *c, struct tap_lock *l, bool write)
{
	struct tap_frame *f = tap_frame(c);

	raw_local_irq_save(f->held_flags);
	return likely(lock_try(l, write)) || lock_brief_slow(f, l, write);
}

bool tap_lock_write(struct tap_context *c, struct tap_lock *lock)
{
	return lock_brief(c, lock, true);
}

bool tap_lock_read(struct tap_context *c, struct tap_lock *lock)
{
	return lock_brief(c, lock, false);
}

void tap_unlock_write(struct tap_context *c, struct tap_lock *lock)
{
	lock_put_write(lock);
	raw_local_irq_restore(tap_frame(c)->held_flags);
}

void tap_unlock_read(struct tap_context *c, struct tap_lock *lock)
{
	lock_put_read(lock);
	raw_local_irq_restore(tap_frame(c)->held_flags);
}
