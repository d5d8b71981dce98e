/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables: find, insert, delete. All memory is allocated at open; an insertion takes a free entry or, with wrap, the
 * oldest one.
 *
 * The cost of each operation decided the layout: 16 bytes of links per entry and 4 to 8 of buckets, besides keys
 * and value. The hash is not stored: a deletion recomputes it from the keys, and a chain is compared by words that
 * are keys themselves, or hold a short string completely, or the hash of a long one. */
#include "core/table.h"
#include "core/stat.h"

/* ---- strings in entries ---- */

u64 tap_table_hash_text(const struct tap_map *m, const char *p, u32 size)
{
	u64 h = m->seed[0] ^ size;
	const char *last = p + size - 16;

	for (; p < last; p += 16)
		h = mix(load64(p) ^ m->seed[1], load64(p + 8) ^ h);
	return mix(load64(last) ^ m->seed[1], load64(last + 8) ^ h);
}

static inline bool slot_equal(const struct table *t, const struct slot *kept, const struct slot *wanted,
			      struct tap_string s)
{
	if (kept->high != wanted->high)
		return false;
	if (tap_likely(!slot_is_long(wanted)))
		return kept->low == wanted->low;
	return kept->low >> 32 == s.size &&
	       !__builtin_memcmp(tap_store_text(&t->store, slot_piece(kept)), s.data, s.size);
}

static bool slot_holds(const struct table *t, const struct slot *kept, struct tap_string s)
{
	struct slot wanted;

	if (tap_unlikely(s.size > SHORT_TEXT))
		return tap_string_equal(slot_text(t, kept), s);
	wanted = short_slot(s.data, s.size);
	return kept->high == wanted.high && kept->low == wanted.low;
}

/* Stores S in SLOT, which holds no long string. False if the store has no room. */
static bool slot_fill(struct table *t, struct slot *slot, struct slot image, struct tap_string s)
{
	if (slot_is_long(&image)) {
		u32 piece = tap_store_take(&t->store, s.size);
		char *text;

		if (!piece)
			return false;
		text = tap_store_text(&t->store, piece);
		__builtin_memcpy(text, s.data, s.size);
		text[s.size] = 0;
		image.low |= piece;
	}
	*slot = image;
	return true;
}

static void slot_drop(struct table *t, struct slot *slot)
{
	if (slot_is_long(slot))
		tap_store_give(&t->store, slot_piece(slot));
	*slot = (struct slot){ 0, (u64)SHORT_TEXT << 56 };
}

/* ---- keys ---- */

u64 tap_table_hash(const struct tap_map *m, const union tap_value *keys)
{
	const union tap_value *end = keys + m->key_count;
	u32 texts = m->texts;
	u64 h = m->seed[0];

	for (; keys < end; keys++, texts >>= 1) {
		if (!(texts & 1)) {
			h = mix((u64)keys->n ^ h, m->seed[1]);
		} else {
			struct slot s = slot_of(m, keys->s);

			h = mix_slot(h, m, &s);
		}
	}
	return h;
}

static u64 hash_entry(const struct tap_map *m, const struct entry *e)
{
	const u64 *word = e->words;
	u32 texts = m->texts;
	u64 h = m->seed[0];
	u32 i;

	for (i = 0; i < m->key_count; i++, texts >>= 1) {
		if (!(texts & 1)) {
			h = mix(*word++ ^ h, m->seed[1]);
		} else {
			h = mix_slot(h, m, (const struct slot *)word);
			word += 2;
		}
	}
	return h;
}

/* Whether all keys match; each is stored after the one before it. */
static inline bool has_keys(const struct tap_map *m, const struct table *t, const struct entry *e,
			    const union tap_value *keys)
{
	const union tap_value *end = keys + m->key_count;
	const u64 *word = e->words;
	u32 texts = m->texts;

	for (; keys < end; keys++, texts >>= 1) {
		if (!(texts & 1)) {
			if (*word++ != (u64)keys->n)
				return false;
		} else {
			if (!slot_holds(t, (const struct slot *)word, keys->s))
				return false;
			word += 2;
		}
	}
	return true;
}

bool tap_table_matches(const struct tap_map *m, const struct table *t, struct entry *e,
		   const union tap_value *keys, u32 wild)
{
	u32 i;

	for (i = 0; i < m->key_count; i++) {
		if (wild >> i & 1)
			continue;
		if (!is_text(m, i)) {
			if (e->words[m->key_at[i]] != (u64)keys[i].n)
				return false;
		} else if (!slot_holds(t, entry_slot(m, e, i), keys[i].s)) {
			return false;
		}
	}
	return true;
}

static inline struct entry *find_text(const struct table *t, struct tap_string s, const struct slot *slot,
				      u64 hash)
{
	u32 ref;

	for (ref = first_in(t, hash); ref; ref = entry_at(t, ref)->next)
		if (slot_equal(t, (struct slot *)entry_at(t, ref)->words, slot, s))
			return entry_at(t, ref);
	return NULL;
}

static struct entry *find_tuple(const struct tap_map *m, const struct table *t,
				const union tap_value *keys, u64 hash)
{
	u32 ref;

	for (ref = first_in(t, hash); ref; ref = entry_at(t, ref)->next)
		if (has_keys(m, t, entry_at(t, ref), keys))
			return entry_at(t, ref);
	return NULL;
}

struct entry *tap_table_find_other(const struct tap_map *m, const struct table *t,
				const union tap_value *keys, struct search *s)
{
	if (m->layout == LAYOUT_STRING) {
		s->slot = slot_of(m, keys->s);
		s->hash = mix_slot(m->seed[0], m, &s->slot);
		return find_text(t, keys->s, &s->slot, s->hash);
	}
	s->hash = tap_table_hash(m, keys);
	return find_tuple(m, t, keys, s->hash);
}

struct entry *tap_table_find(const struct tap_map *m, const struct table *t, const union tap_value *keys,
			 u64 hash)
{
	return find_tuple(m, t, keys, hash);
}

/* ---- entries ---- */

static void unchain(struct table *t, struct entry *e, u64 hash)
{
	u32 *link = &t->heads[hash >> t->shift];
	u32 ref = ref_of(t, e);

	while (*link != ref)
		link = &entry_at(t, *link)->next;
	*link = e->next;
}

static void drop_strings(struct tap_map *m, struct table *t, struct entry *e)
{
	u32 i;

	for (i = 0; i < m->key_count; i++)
		if (is_text(m, i))
			slot_drop(t, entry_slot(m, e, i));
	if (m->value_type == TAP_STRING_TYPE)
		slot_drop(t, entry_value(m, e));
}

static void give_back(struct table *t, struct entry *e)
{
	e->serial = 0;
	e->next = t->free;
	t->free = ref_of(t, e);
}

static inline void take_out(struct table *t, struct entry *e, u64 hash)
{
	unchain(t, e, hash);
	entry_at(t, e->newer)->older = e->older;
	entry_at(t, e->older)->newer = e->newer;
	give_back(t, e);
	t->count--;
}

static __attribute__((__noinline__)) void delete_with_more(struct tap_map *m, struct table *t,
							struct entry *e, u64 hash)
{
	if (m->live)
		tap_iterators_forget(m, ref_of(t, e), e->newer);
	drop_strings(m, t, e);
	take_out(t, e, hash);
}

/* The short path makes no call and so saves no registers. */
void tap_table_delete_found(struct tap_map *m, struct table *t, struct entry *e, u64 hash)
{
	if (m->live | m->texts || m->value_type == TAP_STRING_TYPE)
		delete_with_more(m, t, e, hash);
	else
		take_out(t, e, hash);
}

void tap_table_delete(struct tap_map *m, struct table *t, struct entry *e)
{
	tap_table_delete_found(m, t, e, hash_entry(m, e));
}

/* An entry is about to be deleted, and KEYS may be strings in it: moves them to scratch. */
const union tap_value *tap_table_hold_keys(struct tap_context *c, const struct tap_map *m,
					const struct table *t, const union tap_value *keys)
{
	u32 count = m->key_count, i;
	union tap_value *held;

	for (i = 0; i < count; i++)
		if (is_text(m, i) && table_contains(t, keys[i].s.data))
			break;
	if (i == count)
		return keys;
	held = tap_scratch(c, count * (u32)sizeof(*held));
	if (!held)
		return NULL;
	for (i = 0; i < count; i++) {
		held[i] = keys[i];
		if (is_text(m, i))
			held[i].s = tap_string_hold(c, keys[i].s);
	}
	return c->error ? NULL : held;
}

static void drop_oldest(struct tap_map *m, struct table *t)
{
	tap_table_delete(m, t, entry_at(t, entry_at(t, 0)->newer));
}

static inline struct entry *take_entry(struct table *t)
{
	struct entry *e;

	if (t->free) {
		e = entry_at(t, t->free);
		t->free = e->next;
	} else {
		e = entry_at(t, t->fresh);
		t->fresh += t->stride;
	}
	return e;
}

static bool fill_keys(struct tap_map *m, struct table *t, struct entry *e, const union tap_value *keys)
{
	u32 i, key;

	for (i = 0; i < m->key_count; i++) {
		if (!is_text(m, i)) {
			e->words[m->key_at[i]] = (u64)keys[i].n;
		} else if (!slot_fill(t, entry_slot(m, e, i), slot_of(m, keys[i].s), keys[i].s)) {
			for (key = 0; key < i; key++)
				if (is_text(m, key))
					slot_drop(t, entry_slot(m, e, key));
			return false;
		}
	}
	return true;
}

/* Adds E to its bucket, and to the list by age as the youngest. */
static inline void chain(struct table *t, struct entry *e, u64 hash)
{
	struct entry *anchor = entry_at(t, 0);
	u32 ref = ref_of(t, e);
	u32 *head = &t->heads[hash >> t->shift];

	e->next = *head;
	*head = ref;
	e->newer = 0;
	e->older = anchor->older;
	entry_at(t, anchor->older)->newer = ref;
	anchor->older = ref;
	if (!++t->serial)
		t->serial = 1;
	e->serial = t->serial;
	t->count++;
}

static void link_entry(struct tap_map *m, struct table *t, struct entry *e, u64 hash)
{
	chain(t, e, hash);
	switch (m->value_type) {
	case TAP_LONG:
		e->words[m->value_at] = 0;
		break;
	case TAP_STRING_TYPE:
		*(struct slot *)entry_value(m, e) = (struct slot){ 0, (u64)SHORT_TEXT << 56 };
		break;
	default:
		__builtin_memset(entry_value(m, e), 0, m->value_size);
	}
}

struct entry *tap_table_no_room(struct tap_context *c, const struct tap_map *m, const struct table *t)
{
	tap_error(c, "array '%s' has no room for more long strings at %u of %u elements; a larger size gives it more",
		  m->shape->name, t->count, m->size);
	return NULL;
}

void tap_table_is_full(struct tap_context *c, const struct tap_map *m)
{
	tap_error(c, "array '%s' is full: it has %u elements, see MAXMAPENTRIES", m->shape->name, m->size);
}

static struct entry *no_element(struct tap_context *c, const struct tap_map *m, const struct table *t)
{
	if (t->count < t->size)
		return tap_table_no_room(c, m, t);
	tap_table_is_full(c, m);
	return NULL;
}

static struct entry *insert_slow(struct tap_context *c, struct tap_map *m, struct table *t,
				 const union tap_value *keys, u64 hash)
{
	char *scratch = c->scratch;
	u32 dropped = 0;
	struct entry *e;

	if (!m->shape->wrap)
		return no_element(c, m, t);
	keys = tap_table_hold_keys(c, m, t, keys);
	if (!keys)
		return NULL;
	if (t->count == t->size)
		drop_oldest(m, t);
	e = take_entry(t);
	while (!fill_keys(m, t, e, keys)) {
		if (!t->count || dropped++ == TAP_TABLE_MOST_DROPPED) {
			give_back(t, e);
			c->scratch = scratch;
			return tap_table_no_room(c, m, t);
		}
		drop_oldest(m, t);
	}
	c->scratch = scratch;
	link_entry(m, t, e, hash);
	return e;
}

struct entry *tap_table_insert(struct tap_context *c, struct tap_map *m, struct table *t,
			       const union tap_value *keys, struct search s)
{
	struct entry *e;
	bool filled = true;

	if (tap_unlikely(t->count == t->size))
		return insert_slow(c, m, t, keys, s.hash);
	e = take_entry(t);
	if (m->layout == LAYOUT_LONG)
		e->words[0] = (u64)keys->n;
	else if (m->layout == LAYOUT_STRING)
		filled = slot_fill(t, (struct slot *)e->words, s.slot, keys->s);
	else
		filled = fill_keys(m, t, e, keys);
	if (tap_unlikely(!filled)) {
		give_back(t, e);
		return insert_slow(c, m, t, keys, s.hash);
	}
	link_entry(m, t, e, s.hash);
	return e;
}

static __attribute__((__noinline__)) s64 *insert_number_slow(struct tap_context *c, struct tap_map *m,
							     s64 key, u64 hash)
{
	union tap_value keys = { .n = key };
	struct entry *e = insert_slow(c, m, m->table, &keys, hash);

	return e ? entry_value(m, e) : NULL;
}

s64 *tap_table_insert_number(struct tap_context *c, struct tap_map *m, s64 key, u64 hash)
{
	struct table *t = m->table;
	struct entry *e;

	if (tap_unlikely(t->count == t->size))
		return insert_number_slow(c, m, key, hash);
	e = take_entry(t);
	e->words[0] = (u64)key;
	e->words[1] = 0;
	chain(t, e, hash);
	return (s64 *)&e->words[1];
}

static inline u32 bucket_count(const struct table *t)
{
	return 1u << (64 - t->shift);
}

void tap_table_clear(struct tap_map *m, struct table *t)
{
	struct entry *anchor = entry_at(t, 0);
	struct entry *e;

	if (m->live)
		tap_iterators_forget(m, ~0u, 0);
	if (t->count < bucket_count(t) / 32 && !m->shape->unlisted) {
		for (e = entry_at(t, anchor->newer); e != anchor; e = entry_at(t, e->newer))
			t->heads[hash_entry(m, e) >> t->shift] = 0;
	} else {
		__builtin_memset(t->heads, 0, bucket_count(t) * sizeof(*t->heads));
	}
	anchor->older = anchor->newer = 0;
	t->count = 0;
	t->free = 0;
	t->fresh = t->stride;
	tap_store_open(&t->store, t->store.base, t->store.units, t->store.least);
}

/* ---- values ---- */

/* S may be in the slot's own piece, so that is freed last. */
bool tap_table_set_text(const struct tap_map *m, struct table *t, struct entry *e, struct tap_string s)
{
	struct slot *slot = entry_value(m, e);
	struct slot image = slot_of(m, s), old = *slot;

	if (slot_is_long(&old) && slot_is_long(&image) && tap_store_room(&t->store, slot_piece(&old)) >= s.size) {
		char *text = tap_store_text(&t->store, slot_piece(&old));

		__builtin_memmove(text, s.data, s.size);
		text[s.size] = 0;
		image.low |= slot_piece(&old);
		*slot = image;
		return true;
	}
	if (!slot_fill(t, slot, image, s))
		return false;
	if (slot_is_long(&old))
		tap_store_give(&t->store, slot_piece(&old));
	return true;
}

/* ---- open ---- */

struct table *tap_table_open(struct tap_map *m)
{
	struct tap_table_parts p;
	struct table *t = tap_table_measure(m, &p) ? tap_alloc(p.all) : NULL;

	if (!t)
		return NULL;
	t->heads = (u32 *)((char *)t + p.heads);
	t->shift = 64 - p.order;
	t->stride = t->fresh = p.stride;
	t->size = m->size;
	t->bytes = p.all;
	tap_store_open(&t->store, (char *)(t->pool + p.pool), p.units, p.least);
	m->bytes += p.all;
	return t;
}
