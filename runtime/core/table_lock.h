/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lock of a CPU's table of aggregates. */
#ifndef TAP_CORE_TABLE_LOCK_H
#define TAP_CORE_TABLE_LOCK_H

#include "core/table.h"

static inline bool table_try_lock(struct table *t, u32 self, u32 *holder)
{
	*holder = 0;
	return __atomic_compare_exchange_n(&t->lock, holder, self, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* After a first try; false if it cannot be had. HOLDER: CPU + 1. */
bool tap_table_lock_slow(struct table *t, u32 self, u32 holder);
static inline bool table_lock(struct table *t, u32 self)
{
	u32 holder;

	return tap_likely(table_try_lock(t, self, &holder)) || tap_table_lock_slow(t, self, holder);
}

static inline struct table *table_of_cpu(const struct tap_map *m, u32 cpu)
{
	return cpu < m->cpus ? __atomic_load_n(&m->tables[cpu], __ATOMIC_ACQUIRE) : NULL;
}

/* CPU's table of aggregates, locked, with interrupts off and *FLAGS to pass to leave; NULL if it does not
 * exist, or (counted) if the lock was not available. */
struct table *tap_table_enter(struct tap_context *c, const struct tap_map *m, u32 cpu,
			      unsigned long *flags);
void tap_table_leave(struct table *t, unsigned long flags);

#endif
