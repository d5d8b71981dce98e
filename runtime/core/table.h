/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of maps (map.c, foreach.c): a table is a hash with a fixed pool of entries; a map has one, or one for
 * each CPU if its values are aggregates.
 *
 * An entry is identified by its ref: its distance from the start of the pool in 8-byte words. Ref 0 is the anchor
 * of the list of entries by age, and means "none" everywhere else. */
#ifndef TAP_CORE_TABLE_H
#define TAP_CORE_TABLE_H

#include "core/host.h"
#include "core/map.h"
#include "core/store.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "slot_of() puts short strings together from words, in little-endian order"
#endif

/* A string in an entry. The last byte of a short one is 15 - size, which is its NUL if it has 15 bytes. */
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
	u32 next;		/* in its bucket; in a free entry: the next free one */
	u32 older, newer;
	u32 serial;		/* new for each insertion; 0: free */
	u64 words[];		/* keys: a long takes one word, a string two (struct slot); then the value */
};

struct table {
	u32 *heads;
	u32 shift;		/* the top bits of the hash are the bucket */
	u32 stride;		/* words of an entry */
	u32 free;		/* list of freed entries */
	u32 fresh;		/* entries from here on have never been used */
	u32 count, size;
	u32 serial;
	u32 lock;		/* for aggregates: 1 + the CPU that holds it */
	struct tap_store store;
	u64 bytes;		/* of everything here */
	u64 pool[];		/* the anchor, then the entries */
};

enum layout { LAYOUT_LONG, LAYOUT_STRING, LAYOUT_TUPLE };	/* one long, one string, anything else */

struct tap_iterator;
struct tap_sort_item;

struct tap_map {
	struct table *table;		/* for longs and strings */
	u64 seed[2];
	u8 layout;
	u8 value_type;
	bool stat_extra;		/* aggregates with variance or histograms */
	u8 key_count;
	u8 value_at;			/* the word that the value begins at */
	u32 texts;			/* bit i set: key i is a string */
	u8 key_at[TAP_MOST_KEYS];	/* the word that each key begins at */
	const struct tap_map_shape *shape;
	u32 size;			/* entries */
	u32 value_size;			/* bytes, a multiple of 8 */
	u32 string_size;		/* longest string */
	u32 cpus;
	struct table **tables;		/* [cpus], for aggregates; NULL if a CPU has none yet */
	struct tap_iterator *iterators;	/* those for sorting come first */
	u32 iterator_count, sorting;
	u32 live;			/* number of unsorted ones in use */
	u64 bytes;
};

/* For foreach.c. */
struct tap_iterator {
	struct tap_map *map;
	u32 used;			/* acquired with an atomic exchange: several readers may run at once */
	bool live;
	u32 ref;			/* the element: its entry ... */
	u32 cpu;			/* ... in this CPU's table */

	/* live */
	u32 newer;			/* the next entry, 0: none */
	u32 last_serial;		/* of the youngest entry when the loop began */
	s64 left;			/* number of elements still to return; < 0: no limit */
	const union tap_value *keys;	/* the slice */
	u32 wild;

	/* listed */
	struct tap_sort_item *items;
	u32 count, at;
	union tap_value *copies;	/* for aggregates: the element's keys ... */
	char *texts;			/* ... and the text of those that are strings */
};

static inline struct entry *entry_at(const struct table *t, u32 ref)
{
	struct entry *e = (struct entry *)&t->pool[ref];

	if (!e)
		__builtin_unreachable();	/* in a kernel address 0 may be valid, so gcc would check it */
	return e;
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

/* ---- hash and find ---- */

u64 tap_table_hash_text(const struct tap_map *m, const char *p, u32 size);

static inline u64 load64(const char *p)
{
	u64 n;

	__builtin_memcpy(&n, p, sizeof(n));
	return n;
}

static inline u32 load32(const char *p)
{
	u32 n;

	__builtin_memcpy(&n, p, sizeof(n));
	return n;
}

/* Combines both halves of the product: every bit of the result depends on all bits, and on the
 * seed. */
static inline u64 mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/* A short string as stored in an entry. Loads overlap if the size is not a power of two, and never go outside the
 * string. */
static inline __attribute__((__always_inline__)) struct slot short_slot(const char *p, u32 n)
{
	struct slot slot = { 0, (u64)(SHORT_TEXT - n) << 56 };

	if (n >= 8) {
		slot.low = load64(p);
		slot.high |= load64(p + n - 8) >> 8 >> 8 * (15 - n);
	} else if (n >= 4) {
		slot.low = load32(p) | (u64)load32(p + n - 4) << 8 * (n - 4);
	} else if (n) {
		slot.low = (u8)p[0] | (u64)(u8)p[n / 2] << 8 * (n / 2) | (u64)(u8)p[n - 1] << 8 * (n - 1);
	}
	return slot;
}

/* Any string as stored in an entry; the piece of a long one is still 0. */
static inline struct slot slot_of(const struct tap_map *m, struct tap_string s)
{
	if (tap_likely(s.size <= SHORT_TEXT))
		return short_slot(s.data, s.size);
	return (struct slot){ (u64)s.size << 32, LONG_TEXT_TAG | (u32)tap_table_hash_text(m, s.data, s.size) };
}

/* The part of a slot that does not depend on where a long string is stored. */
static inline u64 slot_identity(const struct slot *s)
{
	return slot_is_long(s) ? s->low >> 32 << 32 : s->low;
}

static inline u64 mix_slot(u64 h, const struct tap_map *m, const struct slot *s)
{
	return mix(slot_identity(s) ^ h, s->high ^ m->seed[1]);
}

/* The entries of a bucket: for (ref = first_in(t, hash); ref; ref = entry_at(t, ref)->next). The loop is over refs, so
 * that each of them is compared with 0 once. */
static inline u32 first_in(const struct table *t, u64 hash)
{
	return t->heads[hash >> t->shift];
}

static inline u64 hash_number(const struct tap_map *m, u64 key)
{
	return mix(key ^ m->seed[0], m->seed[1]);
}

static inline struct entry *find_long(const struct table *t, u64 key, u64 hash)
{
	u32 ref;

	for (ref = first_in(t, hash); ref; ref = entry_at(t, ref)->next)
		if (entry_at(t, ref)->words[0] == key)
			return entry_at(t, ref);
	return NULL;
}

/* The result of a search, kept for an insertion that may follow. */
struct search {
	u64 hash;
	struct slot slot;		/* LAYOUT_STRING: the key */
};

/* One long, or one short string: found without a call, so that the callers below need no frame. */
static inline bool is_quick(const struct tap_map *m, const union tap_value *keys)
{
	return m->layout == LAYOUT_LONG || (m->layout == LAYOUT_STRING && keys->s.size <= SHORT_TEXT);
}

static inline __attribute__((__always_inline__))
struct entry *find_quick(const struct tap_map *m, const struct table *t, const union tap_value *keys,
			 struct search *s)
{
	u32 ref;

	s->slot = (struct slot){ 0, 0 };
	if (m->layout == LAYOUT_LONG) {
		s->hash = hash_number(m, (u64)keys->n);
		return find_long(t, (u64)keys->n, s->hash);
	}
	s->slot = short_slot(keys->s.data, keys->s.size);
	s->hash = mix(s->slot.low ^ m->seed[0], s->slot.high ^ m->seed[1]);
	for (ref = first_in(t, s->hash); ref; ref = entry_at(t, ref)->next)
		if (entry_at(t, ref)->words[0] == s->slot.low && entry_at(t, ref)->words[1] == s->slot.high)
			return entry_at(t, ref);
	return NULL;
}

/* For all other keys. */
struct entry *tap_table_find_other(const struct tap_map *m, const struct table *t,
				   const union tap_value *keys, struct search *s);
static inline struct entry *find(const struct tap_map *m, const struct table *t,
				 const union tap_value *keys, struct search *s)
{
	return tap_likely(is_quick(m, keys)) ? find_quick(m, t, keys, s) : tap_table_find_other(m, t, keys, s);
}

struct entry *tap_table_find(const struct tap_map *m, const struct table *t, const union tap_value *keys,
			     u64 hash);
u64 tap_table_hash(const struct tap_map *m, const union tap_value *keys);
/* Whether the keys whose bit in WILD is clear match. */
bool tap_table_matches(const struct tap_map *m, const struct table *t, struct entry *e,
		       const union tap_value *keys, u32 wild);

/* Inserts a new entry for KEYS, which must be absent, with a value of zero or an empty one. NULL with the error set
 * if the table is full; with wrap the oldest entries are deleted instead. */
struct entry *tap_table_insert(struct tap_context *c, struct tap_map *m, struct table *t,
			       const union tap_value *keys, struct search s);
/* The same, from one long to one long, with its place in the hash; returns the value. */
s64 *tap_table_insert_number(struct tap_context *c, struct tap_map *m, s64 key, u64 hash);
void tap_table_delete(struct tap_map *m, struct table *t, struct entry *e);
void tap_table_delete_found(struct tap_map *m, struct table *t, struct entry *e, u64 hash);
void tap_table_clear(struct tap_map *m, struct table *t);
/* Stores S as E's value. False if there is no room for it. */
bool tap_table_set_text(const struct tap_map *m, struct table *t, struct entry *e, struct tap_string s);
/* For keys that are used while entries are deleted: the same keys, with strings inside the table moved to scratch.
 * NULL with the error set if scratch is full. */
const union tap_value *tap_table_hold_keys(struct tap_context *c, const struct tap_map *m,
					   const struct table *t, const union tap_value *keys);
static inline bool table_contains(const struct table *t, const char *p)
{
	return p >= (const char *)t && p < (const char *)t + t->bytes;
}
/* Sets the error that all entries are in use. */
void tap_table_is_full(struct tap_context *c, const struct tap_map *m);
/* Sets the error that long strings fill the store. Always returns NULL. */
struct entry *tap_table_no_room(struct tap_context *c, const struct tap_map *m, const struct table *t);
enum { TAP_TABLE_MOST_DROPPED = 64 };	/* maximum number of old entries deleted for the strings
					 * of one new one */
struct table *tap_table_open(struct tap_map *m);

/* map_size.c: the layout, before anything is allocated */
void tap_map_describe(struct tap_map *m, const struct tap_map_shape *shape, const struct tap_limits *limits, u32 cpus);
u32 tap_map_key_strings(const struct tap_map *m);	/* keys that are strings */
u32 tap_map_live_iterators(const struct tap_map *m);
struct tap_table_parts {
	u32 stride, order;	/* words of an entry, log2 of the number of heads */
	u32 units, least;	/* of the store, and of a piece of it */
	u64 pool, heads, all;		/* words of all entries; bytes in front of the heads; total bytes */
};
/* Returns false if it would be too large. */
bool tap_table_measure(const struct tap_map *m, struct tap_table_parts *p);

/* iterator.c */
bool tap_iterators_open(struct tap_map *m);
void tap_iterators_close(struct tap_map *m);
void tap_iterators_forget(struct tap_map *m, u32 ref, u32 newer);	/* entry REF is deleted; ~0: all are */

#endif
