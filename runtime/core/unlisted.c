/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unlisted arrays: from one number to numbers, used only by their keys, as start[tid()] is. An element is in its
 * bucket, and in no list by age, which only loops, slices, wrap and --hand-over need. */
#include "core/table.h"

static inline u32 *bucket_of(const struct tap_map *m, struct table *t, u64 key)
{
	return &t->heads[hash_number(m, key) >> t->shift];
}

/* A free entry's ref; 0 with the error set if there is none. If no freed one is left, and the table is not full,
 * there are entries that were never used. */
static inline u32 take_ref(struct tap_context *c, const struct tap_map *m, struct table *t)
{
	u32 ref = t->free;

	if (tap_likely(ref)) {
		t->free = entry_at(t, ref)->next;
		return ref;
	}
	if (tap_unlikely(t->count == t->size)) {
		tap_table_is_full(c, m);
		return 0;
	}
	ref = t->fresh;
	t->fresh += t->stride;
	return ref;
}

s64 *tap_map_slot_unlisted(struct tap_context *c, struct tap_map *m, s64 key)
{
	struct table *t = m->table;
	u32 *head = bucket_of(m, t, (u64)key), ref;
	struct entry *e;

	for (ref = *head; ref; ref = e->next) {
		e = entry_at(t, ref);
		if (e->words[0] == (u64)key)
			return (s64 *)&e->words[1];
	}
	ref = take_ref(c, m, t);
	if (tap_unlikely(!ref))
		return NULL;
	e = entry_at(t, ref);
	e->words[0] = (u64)key;
	e->words[1] = 0;
	e->next = *head;
	*head = ref;
	t->count++;
	return (s64 *)&e->words[1];
}

/* E is the entry that *LINK refers to. */
static inline void take_out(struct table *t, u32 *link, struct entry *e)
{
	u32 ref = *link;

	*link = e->next;
	e->next = t->free;
	t->free = ref;
	t->count--;
}

void tap_map_delete_unlisted(struct tap_map *m, s64 key)
{
	struct table *t = m->table;
	u32 *link = bucket_of(m, t, (u64)key);
	struct entry *e;

	for (; *link; link = &e->next) {
		e = entry_at(t, *link);
		if (e->words[0] == (u64)key) {
			take_out(t, link, e);
			return;
		}
	}
}

void tap_map_delete_found_unlisted(struct tap_map *m, s64 *value)
{
	struct entry *e = (struct entry *)((u64 *)value - 1) - 1;
	struct table *t = m->table;
	u32 *link = bucket_of(m, t, e->words[0]), ref = ref_of(t, e);

	while (*link != ref)
		link = &entry_at(t, *link)->next;
	take_out(t, link, e);
}
