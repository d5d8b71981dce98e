/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of maps (map.c, foreach.c): a table is a hash with a fixed pool of entries; a map has one, or
 * one for each CPU when its values are aggregates.
 *
 * An entry is known by its ref: how many 8-byte words it lies behind the pool's start. Ref 0 is the
 * anchor of the list of entries by age, and "none" everywhere else. */
#ifndef TAP_CORE_TABLE_H
#define TAP_CORE_TABLE_H

#include "core/host.h"
#include "core/map.h"
#include "core/store.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "slot_of() puts short strings together from words, in little-endian order"
#endif

/* A string in an entry. The last byte of a short one is 15 - size, and so its NUL when it has 15. */
struct slot {
	u64 low;		/* short: bytes 0-7; long: u32 piece of the store, u32 size */
	u64 high;		/* short: bytes 8-14, 15 - size; long: u32 of its hash, 0, LONG_TEXT */
};
enum { SHORT_TEXT = 15, LONG_TEXT = 0xff };
#define LONG_TEXT_TAG ((u64)LONG_TEXT << 56)

static inline bool slot_is_long(const struct slot *s)
{
	return s->high >> 56 == LONG_TEXT;
}
static inline u32 slot_piece(const struct slot *s)
{
	return (u32)s->low;
}

struct entry {
	u32 next;		/* in its bucket; of a free one: the next free */
	u32 older, newer;
	u32 serial;		/* a new one for each insertion; 0: free */
	u64 words[];		/* keys: a long has one, a string two (struct slot); then the value */
};

struct table {
	u32 *heads;
	u64 *pool;
	u32 shift;		/* the hash's top bits are the bucket */
	u32 stride;		/* words of an entry */
	u32 free;		/* entries given back, a list */
	u32 fresh;		/* entries from here on have never been used */
	u32 count, size;
	u32 serial;
	u32 lock;		/* of aggregates: CPU + 1 that holds it */
	struct tap_store store;
	u64 bytes;		/* of all this */
};

enum layout { LAYOUT_LONG, LAYOUT_STRING, LAYOUT_TUPLE };	/* one long, one string, else */

struct tap_iterator;

struct tap_map {
	struct table *table;		/* of longs and strings */
	u64 seed[2];
	u8 layout;
	u8 value_type;
	bool stat_extra;		/* aggregates with variance or histograms */
	u8 key_count;
	u8 value_at;			/* word of the value */
	u32 texts;			/* bit i: key i is a string */
	u8 key_at[TAP_MOST_KEYS];	/* word of each key */
	const struct tap_map_shape *shape;
	u32 size;			/* entries */
	u32 value_size;			/* bytes, a multiple of 8 */
	u32 string_size;		/* longest string */
	u32 cpus;
	struct table **tables;		/* [cpus], of aggregates; NULL while a CPU has none */
	struct tap_iterator *iterators;	/* the sorting ones first */
	u32 iterator_count, sorting;
	u32 live;			/* unsorted ones in use */
	u64 bytes;
};

static inline struct entry *entry_at(const struct table *t, u32 ref)
{
	return (struct entry *)(t->pool + ref);
}
static inline u32 ref_of(const struct table *t, const struct entry *e)
{
	return (u32)((const u64 *)e - t->pool);
}
static inline void *entry_value(const struct tap_map *m, struct entry *e)
{
	return e->words + m->value_at;
}
static inline struct slot *entry_slot(const struct tap_map *m, struct entry *e, u32 key)
{
	return (struct slot *)(e->words + m->key_at[key]);
}
static inline struct tap_string slot_text(const struct table *t, const struct slot *s)
{
	if (slot_is_long(s))
		return (struct tap_string){ tap_store_text(&t->store, slot_piece(s)), (u32)(s->low >> 32) };
	return (struct tap_string){ (const char *)s, SHORT_TEXT - (u32)(s->high >> 56) };
}
static inline bool is_text(const struct tap_map *m, u32 key)
{
	return m->texts >> key & 1;
}

u64 table_hash(const struct tap_map *m, const union tap_value *keys);
struct entry *table_find(const struct tap_map *m, const struct table *t, const union tap_value *keys,
			 u64 hash);
void table_delete(struct tap_map *m, struct table *t, struct entry *e);
/* Do the keys without a bit in WILD fit? */
bool table_matches(const struct tap_map *m, const struct table *t, struct entry *e,
		   const union tap_value *keys, u32 wild);
/* The table of aggregates of CPU, locked, with interrupts off and *FLAGS to leave with; NULL when there
 * is none, or (counted) when the lock was not to be had. */
struct table *table_enter(struct tap_context *c, const struct tap_map *m, u32 cpu, unsigned long *flags);
void table_leave(struct table *t, unsigned long flags);

/* foreach.c */
bool iterators_open(struct tap_map *m);
void iterators_close(struct tap_map *m);
void iterators_forget(struct tap_map *m, u32 ref, u32 newer);	/* REF goes; ~0: all go */

#endif
