/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lock of a CPU's table of aggregates: taken by its CPU at each value, by others to read or clear. */
#include "core/table_lock.h"

/* A lock is held for a few microseconds, or tens when a table is cleared. */
enum { LOCK_TRIES = 20000 };

bool tap_table_lock_slow(struct table *t, u32 self, u32 holder)
{
	u32 tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (holder == self)	/* an NMI within our own section, which cannot end before the NMI does */
			return false;
		tap_host_relax();
		if (table_try_lock(t, self, &holder))
			return true;
	}
	return false;
}

struct table *tap_table_enter(struct tap_context *c, const struct tap_map *m, u32 cpu, unsigned long *flags)
{
	struct table *t = table_of_cpu(m, cpu);

	if (!t)
		return NULL;
	*flags = tap_host_irq_save();
	if (tap_likely(table_lock(t, tap_host_cpu() + 1)))
		return t;
	tap_host_irq_restore(*flags);
	tap_host_skipped(c);
	return NULL;
}

void tap_table_leave(struct table *t, unsigned long flags)
{
	__atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
	tap_host_irq_restore(flags);
}
