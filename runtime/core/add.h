/* SPDX-License-Identifier: GPL-2.0-or-later */
/* <<< on an array with one key, as functions that a host completes with its own way to turn interrupts off, which is a
 * call in core and one instruction in the kernel. The usual case is an element that exists: it makes no call, so no
 * register is saved. Everything else goes through tap_map_add_stat. */
#ifndef TAP_CORE_ADD_H
#define TAP_CORE_ADD_H

#include "core/stat.h"
#include "core/table_lock.h"

/* The key is FIRST, or a string of FIRST and SECOND. */
static inline __attribute__((__always_inline__))
bool add_found(const struct tap_map *m, struct table *t, u64 first, u64 second, bool is_text, s64 value)
{
	u64 hash = mix(first ^ m->seed[0], is_text ? second ^ m->seed[1] : m->seed[1]);
	u32 ref;

	for (ref = first_in(t, hash); ref; ref = entry_at(t, ref)->next) {
		struct entry *e = entry_at(t, ref);

		if (e->words[0] != first || (is_text && e->words[1] != second))
			continue;
		tap_stat_count((struct tap_stat *)(e->words + (is_text ? 2 : 1)), value);
		return true;
	}
	return false;
}

/* With interrupts off on CPU. False if nothing was done: the element is new, or this is not the usual case. */
static inline __attribute__((__always_inline__))
bool add_words(struct tap_map *m, u32 cpu, u64 first, u64 second, bool is_text, s64 value)
{
	struct table *t = table_of_cpu(m, cpu);
	u32 holder;
	bool done;

	if (tap_unlikely(!t || m->stat_extra || !table_try_lock(t, cpu + 1, &holder)))
		return false;
	done = add_found(m, t, first, second, is_text, value);
	__atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
	return done;
}

static inline __attribute__((__always_inline__))
bool add_number(struct tap_map *m, u32 cpu, s64 key, s64 value)
{
	return add_words(m, cpu, (u64)key, 0, false, value);
}

static inline __attribute__((__always_inline__))
bool add_text(struct tap_map *m, u32 cpu, struct slot key, s64 value)
{
	return add_words(m, cpu, key.low, key.high, true, value);
}

/* All other cases; interrupts are as the handler has them. */
void tap_add_other_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value);
void tap_add_other_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value);

#endif
