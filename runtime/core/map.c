/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: find, insert, delete. All memory is taken at open; an insert takes an entry from the free
 * ones, or with wrap the oldest.
 *
 * What each costs decided the layout: 16 bytes of links an entry and 4 to 8 of buckets beside keys and
 * value. The hash is not kept: it is made again from the keys at a delete, and a chain is compared by
 * words that are keys themselves, or hold a short string whole, or a long one's hash. */
#include "core/table.h"
#include "core/stat.h"
#include "core/string.h"

/* ---- strings in entries ---- */

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

/* Both halves of the product: every bit of the result depends on all bits, and on the seed. */
static inline u64 mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

static u64 hash_text(const struct tap_map *m, const char *p, u32 size)
{
	u64 h = m->seed[0] ^ size;
	const char *last = p + size - 16;

	for (; p < last; p += 16)
		h = mix(load64(p) ^ m->seed[1], load64(p + 8) ^ h);
	return mix(load64(last) ^ m->seed[1], load64(last + 8) ^ h);
}

/* A short string as it lies in an entry. Loads overlap where the size is not a power of two, and never
 * go outside of the string. */
static inline struct slot short_slot(const char *p, u32 n)
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

/* Any string as it lies in an entry; the piece of a long one is left 0. */
static inline struct slot slot_of(const struct tap_map *m, struct tap_string s)
{
	if (tap_likely(s.size <= SHORT_TEXT))
		return short_slot(s.data, s.size);
	return (struct slot){ (u64)s.size << 32, LONG_TEXT_TAG | (u32)hash_text(m, s.data, s.size) };
}

/* What of a slot does not depend on where a long string is stored. */
static inline u64 slot_identity(const struct slot *s)
{
	return slot_is_long(s) ? s->low >> 32 << 32 : s->low;
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

static inline u64 mix_slot(u64 h, const struct tap_map *m, const struct slot *s)
{
	return mix(slot_identity(s) ^ h, s->high ^ m->seed[1]);
}

/* Store S in SLOT, which holds no long string. False without room in the store. */
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

u64 table_hash(const struct tap_map *m, const union tap_value *keys)
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

/* All keys; each lies behind the one before it. */
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

bool table_matches(const struct tap_map *m, const struct table *t, struct entry *e,
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

static inline struct entry *first_in(const struct table *t, u64 hash)
{
	u32 ref = t->heads[hash >> t->shift];

	return ref ? entry_at(t, ref) : NULL;
}

static inline struct entry *next_in(const struct table *t, const struct entry *e)
{
	return e->next ? entry_at(t, e->next) : NULL;
}

static inline struct entry *find_long(const struct table *t, u64 key, u64 hash)
{
	struct entry *e;

	for (e = first_in(t, hash); e; e = next_in(t, e))
		if (e->words[0] == key)
			return e;
	return NULL;
}

static inline struct entry *find_text(const struct table *t, struct tap_string s, const struct slot *slot,
				      u64 hash)
{
	struct entry *e;

	for (e = first_in(t, hash); e; e = next_in(t, e))
		if (slot_equal(t, (struct slot *)e->words, slot, s))
			return e;
	return NULL;
}

static struct entry *find_tuple(const struct tap_map *m, const struct table *t,
				const union tap_value *keys, u64 hash)
{
	struct entry *e;

	for (e = first_in(t, hash); e; e = next_in(t, e))
		if (has_keys(m, t, e, keys))
			return e;
	return NULL;
}

/* What a search leaves for the insert that may follow. */
struct search {
	u64 hash;
	struct slot slot;		/* LAYOUT_STRING: the key */
};

/* One long, or one short string: found without a call, so that the callers below need no frame. */
static inline bool is_quick(const struct tap_map *m, const union tap_value *keys)
{
	return m->layout == LAYOUT_LONG || (m->layout == LAYOUT_STRING && keys->s.size <= SHORT_TEXT);
}

static inline struct entry *find_quick(const struct tap_map *m, const struct table *t,
				       const union tap_value *keys, struct search *s)
{
	struct entry *e;

	s->slot = (struct slot){ 0, 0 };
	if (m->layout == LAYOUT_LONG) {
		s->hash = mix((u64)keys->n ^ m->seed[0], m->seed[1]);
		return find_long(t, (u64)keys->n, s->hash);
	}
	s->slot = short_slot(keys->s.data, keys->s.size);
	s->hash = mix(s->slot.low ^ m->seed[0], s->slot.high ^ m->seed[1]);
	for (e = first_in(t, s->hash); e; e = next_in(t, e))
		if (e->words[0] == s->slot.low && e->words[1] == s->slot.high)
			return e;
	return NULL;
}

static struct entry *find_other(const struct tap_map *m, const struct table *t,
				const union tap_value *keys, struct search *s)
{
	if (m->layout == LAYOUT_STRING) {
		s->slot = slot_of(m, keys->s);
		s->hash = mix_slot(m->seed[0], m, &s->slot);
		return find_text(t, keys->s, &s->slot, s->hash);
	}
	s->hash = table_hash(m, keys);
	return find_tuple(m, t, keys, s->hash);
}

static inline struct entry *find(const struct tap_map *m, const struct table *t,
				 const union tap_value *keys, struct search *s)
{
	return tap_likely(is_quick(m, keys)) ? find_quick(m, t, keys, s) : find_other(m, t, keys, s);
}

struct entry *table_find(const struct tap_map *m, const struct table *t, const union tap_value *keys,
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

void table_delete(struct tap_map *m, struct table *t, struct entry *e)
{
	if (tap_unlikely(m->live))
		iterators_forget(m, ref_of(t, e), e->newer);
	unchain(t, e, hash_entry(m, e));
	entry_at(t, e->newer)->older = e->older;
	entry_at(t, e->older)->newer = e->newer;
	drop_strings(m, t, e);
	give_back(t, e);
	t->count--;
}

static bool is_inside(const struct table *t, const char *p)
{
	return p >= (const char *)t && p < (const char *)t + t->bytes;
}

/* An entry is about to go, but keys may be strings within it: move them to scratch. */
static const union tap_value *hold_keys(struct tap_context *c, const struct tap_map *m,
					const struct table *t, const union tap_value *keys)
{
	u32 count = m->key_count, i;
	union tap_value *held;

	for (i = 0; i < count; i++)
		if (is_text(m, i) && is_inside(t, keys[i].s.data))
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
	table_delete(m, t, entry_at(t, entry_at(t, 0)->newer));
}

static struct entry *take_entry(struct table *t)
{
	struct entry *e = entry_at(t, t->free ? t->free : t->fresh);

	if (t->free)
		t->free = e->next;
	else
		t->fresh += t->stride;
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

static void link_entry(struct tap_map *m, struct table *t, struct entry *e, u64 hash)
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

static struct entry *no_room(struct tap_context *c, const struct tap_map *m, const char *what)
{
	tap_error(c, "array '%s' is full: %s %u elements, see MAXMAPENTRIES", m->shape->name, what,
		  m->size);
	return NULL;
}

/* How many old entries may go to make room for one new one's strings. */
enum { MOST_DROPPED = 64 };

static struct entry *insert_slow(struct tap_context *c, struct tap_map *m, struct table *t,
				 const union tap_value *keys, u64 hash)
{
	char *scratch = c->scratch;
	u32 dropped = 0;
	struct entry *e;

	if (!m->shape->wrap)
		return no_room(c, m, t->count < t->size ? "no store for long strings in" : "it has");
	keys = hold_keys(c, m, t, keys);
	if (!keys)
		return NULL;
	if (t->count == t->size)
		drop_oldest(m, t);
	e = take_entry(t);
	while (!fill_keys(m, t, e, keys)) {
		if (!t->count || dropped++ == MOST_DROPPED) {
			give_back(t, e);
			c->scratch = scratch;
			return no_room(c, m, "no store for long strings in");
		}
		drop_oldest(m, t);
	}
	c->scratch = scratch;
	link_entry(m, t, e, hash);
	return e;
}

static __attribute__((__noinline__)) struct entry *insert(struct tap_context *c, struct tap_map *m,
						      struct table *t, const union tap_value *keys,
						      struct search s)
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

static inline u32 bucket_count(const struct table *t)
{
	return 1u << (64 - t->shift);
}

static void table_clear(struct tap_map *m, struct table *t)
{
	struct entry *anchor = entry_at(t, 0);
	struct entry *e;

	if (m->live)
		iterators_forget(m, ~0u, 0);
	if (t->count < bucket_count(t) / 32) {
		for (e = entry_at(t, anchor->newer); e != anchor; e = entry_at(t, e->newer))
			t->heads[hash_entry(m, e) >> t->shift] = 0;
	} else {
		__builtin_memset(t->heads, 0, bucket_count(t) * sizeof(*t->heads));
	}
	anchor->older = anchor->newer = 0;
	t->count = 0;
	t->free = 0;
	t->fresh = t->stride;
	tap_store_open(&t->store, t->store.base, t->store.units);
}

/* ---- locks of aggregates' tables ---- */

/* Held for a few microseconds, tens when a table is cleared. */
enum { LOCK_TRIES = 20000 };

static inline bool try_lock(struct table *t, u32 self, u32 *holder)
{
	*holder = 0;
	return __atomic_compare_exchange_n(&t->lock, holder, self, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static __attribute__((__noinline__)) bool lock_slow(struct table *t, u32 self, u32 holder)
{
	u32 tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (holder == self)	/* an NMI, within our own section: it cannot end before us */
			return false;
		tap_host_relax();
		if (try_lock(t, self, &holder))
			return true;
	}
	return false;
}

static inline bool lock(struct table *t, u32 self)
{
	u32 holder;

	return tap_likely(try_lock(t, self, &holder)) || lock_slow(t, self, holder);
}

static struct table *table_of_cpu(const struct tap_map *m, u32 cpu)
{
	return cpu < m->cpus ? __atomic_load_n(&m->tables[cpu], __ATOMIC_ACQUIRE) : NULL;
}

struct table *table_enter(struct tap_context *c, const struct tap_map *m, u32 cpu, unsigned long *flags)
{
	struct table *t = table_of_cpu(m, cpu);

	if (!t)
		return NULL;
	*flags = tap_host_irq_save();
	if (tap_likely(lock(t, tap_host_cpu() + 1)))
		return t;
	tap_host_irq_restore(*flags);
	tap_host_skipped(c);
	return NULL;
}

void table_leave(struct table *t, unsigned long flags)
{
	__atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
	tap_host_irq_restore(flags);
}

static bool has_tables(const struct tap_map *m)
{
	return m->tables != NULL;
}

/* ---- the contract ---- */

static __attribute__((__noinline__)) struct entry *find_in_table(struct tap_map *m,
							     const union tap_value *keys)
{
	struct search s;

	return find_other(m, m->table, keys, &s);
}

s64 *tap_map_find_long(struct tap_map *m, const union tap_value *keys)
{
	struct search s;
	struct entry *e;

	if (tap_likely(is_quick(m, keys)))
		e = find_quick(m, m->table, keys, &s);
	else
		e = find_in_table(m, keys);
	return e ? entry_value(m, e) : NULL;
}

static __attribute__((__noinline__)) s64 *insert_quick(struct tap_context *c, struct tap_map *m,
						   const union tap_value *keys, u64 hash, u64 low,
						   u64 high)
{
	struct search s = { hash, { low, high } };
	struct entry *e = insert(c, m, m->table, keys, s);

	return e ? entry_value(m, e) : NULL;
}

static __attribute__((__noinline__)) s64 *slot_other(struct tap_context *c, struct tap_map *m,
						 const union tap_value *keys)
{
	struct search s;
	struct entry *e = find_other(m, m->table, keys, &s);

	if (!e)
		e = insert(c, m, m->table, keys, s);
	return e ? entry_value(m, e) : NULL;
}

s64 *tap_map_slot_long(struct tap_context *c, struct tap_map *m, const union tap_value *keys)
{
	struct search s;
	struct entry *e;

	if (tap_unlikely(!is_quick(m, keys)))
		return slot_other(c, m, keys);
	e = find_quick(m, m->table, keys, &s);
	if (tap_likely(e))
		return entry_value(m, e);
	return insert_quick(c, m, keys, s.hash, s.slot.low, s.slot.high);
}

struct tap_string tap_map_get_string(struct tap_map *m, const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, m->table, keys, &s);

	return e ? slot_text(m->table, entry_value(m, e)) : TAP_EMPTY;
}

/* S may lie in the slot's own piece, so that goes last. */
static bool set_text(const struct tap_map *m, struct table *t, struct slot *slot, struct tap_string s)
{
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

/* Room for a long text by way of the oldest, unless that is E itself. */
static bool drop_for(struct tap_map *m, struct table *t, const struct entry *e, u32 dropped)
{
	struct entry *oldest = entry_at(t, entry_at(t, 0)->newer);

	if (!m->shape->wrap || oldest == e || dropped == MOST_DROPPED)
		return false;
	table_delete(m, t, oldest);
	return true;
}

bool tap_map_set_string(struct tap_context *c, struct tap_map *m, const union tap_value *keys,
			struct tap_string s)
{
	struct table *t = m->table;
	char *scratch = c->scratch;
	struct entry *e;
	struct search search;
	bool is_new;
	u32 dropped = 0;

	if (s.size > m->string_size)
		s.size = m->string_size;
	e = find(m, t, keys, &search);
	is_new = !e;
	if (m->shape->wrap && (is_new || s.size > SHORT_TEXT) && is_inside(t, s.data))
		s = tap_string_hold(c, s);
	if (is_new)
		e = insert(c, m, t, keys, search);
	while (e && !set_text(m, t, entry_value(m, e), s)) {
		if (drop_for(m, t, e, dropped++))
			continue;
		if (is_new)
			table_delete(m, t, e);
		e = no_room(c, m, "no store for long strings in");
	}
	c->scratch = scratch;
	return e && !c->error;
}

bool tap_map_has(struct tap_map *m, const union tap_value *keys)
{
	unsigned long flags;
	struct table *t;
	struct search s;
	u32 cpu;
	bool found = false;

	if (!has_tables(m))
		return find(m, m->table, keys, &s) != NULL;
	for (cpu = 0; cpu < m->cpus && !found; cpu++) {
		t = table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		found = find(m, t, keys, &s) != NULL;
		table_leave(t, flags);
	}
	return found;
}

static void delete_from(struct tap_map *m, struct table *t, const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, t, keys, &s);

	if (e)
		table_delete(m, t, e);
}

void tap_map_delete(struct tap_map *m, const union tap_value *keys)
{
	unsigned long flags;
	struct table *t;
	u32 cpu;

	if (!has_tables(m)) {
		delete_from(m, m->table, keys);
		return;
	}
	for (cpu = 0; cpu < m->cpus; cpu++) {
		t = table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		delete_from(m, t, keys);
		table_leave(t, flags);
	}
}

void tap_map_clear(struct tap_map *m)
{
	unsigned long flags;
	struct table *t;
	u32 cpu;

	if (!has_tables(m)) {
		table_clear(m, m->table);
		return;
	}
	for (cpu = 0; cpu < m->cpus; cpu++) {
		t = table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		table_clear(m, t);
		table_leave(t, flags);
	}
}

/* The map's lock takes the place of the aggregate's own sequence. */
static void add_locked(struct tap_context *c, struct tap_map *m, struct table *t,
		       const union tap_value *keys, s64 value)
{
	struct search s;
	struct entry *e = find(m, t, keys, &s);
	struct tap_stat *stat;

	if (tap_unlikely(!e)) {
		e = insert(c, m, t, keys, s);
		if (!e)
			return;
	}
	stat = entry_value(m, e);
	tap_stat_count(stat, value);
	if (m->stat_extra)
		tap_stat_add_extra(stat, m->shape->stat, value);
}

void tap_map_add_stat(struct tap_context *c, struct tap_map *m, const union tap_value *keys, s64 value)
{
	unsigned long flags = tap_host_irq_save();
	u32 cpu = tap_host_cpu();
	struct table *t = table_of_cpu(m, cpu);

	if (tap_likely(t && lock(t, cpu + 1))) {
		add_locked(c, m, t, keys, value);
		__atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
	} else {
		tap_host_skipped(c);
	}
	tap_host_irq_restore(flags);
}

const struct tap_stat *tap_map_read_stat(struct tap_context *c, struct tap_map *m,
					 const union tap_value *keys)
{
	char *scratch = c->scratch;
	struct tap_stat *all = tap_scratch(c, m->value_size);
	bool found = false;
	u32 cpu;

	if (!all)
		return NULL;
	tap_stat_reset(all, m->shape->stat);
	for (cpu = 0; cpu < m->cpus; cpu++) {
		unsigned long flags;
		struct table *t = table_enter(c, m, cpu, &flags);
		struct search s;
		struct entry *e;

		if (!t)
			continue;
		e = find(m, t, keys, &s);
		if (e) {
			tap_stat_merge(all, entry_value(m, e), m->shape->stat);
			found = true;
		}
		table_leave(t, flags);
	}
	if (found)
		return all;
	c->scratch = scratch;
	return NULL;
}

/* ---- slices ---- */

enum slice_action { SLICE_HAS, SLICE_DELETE };
enum { SLICE_STEPS = 256 };		/* entries of an aggregates' table in one go, interrupts off */

struct slice {
	struct tap_context *c;
	struct tap_map *m;
	const union tap_value *keys;
	u32 wild;
	enum slice_action action;
};

/* True: found one, and one is enough. */
static bool slice_entry(const struct slice *s, struct table *t, struct entry *e)
{
	if (!table_matches(s->m, t, e, s->keys, s->wild))
		return false;
	if (s->action == SLICE_HAS)
		return true;
	table_delete(s->m, t, e);
	return false;
}

static bool slice_table(const struct slice *s, struct table *t)
{
	u32 ref, newer, steps = 0;

	for (ref = entry_at(t, 0)->newer; ref; ref = newer) {
		newer = entry_at(t, ref)->newer;
		if (slice_entry(s, t, entry_at(t, ref)))
			return true;
		if (++steps % TAP_STEPS_BETWEEN == 0 && !tap_host_go_on(s->c))
			return false;
	}
	return false;
}

/* A few entries at a time, by place: others may add in between. */
static bool slice_cpu(const struct slice *s, u32 cpu)
{
	unsigned long flags;
	struct table *t;
	bool found = false;
	u32 ref = 0, steps;

	do {
		t = table_enter(s->c, s->m, cpu, &flags);
		if (!t)
			return false;
		ref = ref ? ref : t->stride;
		for (steps = 0; ref < t->fresh && !found && steps < SLICE_STEPS; steps++) {
			if (entry_at(t, ref)->serial)
				found = slice_entry(s, t, entry_at(t, ref));
			ref += t->stride;
		}
		table_leave(t, flags);
		if (found)
			return true;
	} while (steps == SLICE_STEPS && tap_host_go_on(s->c));
	return false;
}

static bool slice_map(const struct slice *s)
{
	u32 cpu;

	if (!has_tables(s->m))
		return slice_table(s, s->m->table);
	for (cpu = 0; cpu < s->m->cpus; cpu++)
		if (slice_cpu(s, cpu))
			return true;
	return false;
}

bool tap_map_has_slice(struct tap_context *c, struct tap_map *m, const union tap_value *keys, u32 wild)
{
	struct slice s = { c, m, keys, wild, SLICE_HAS };

	return slice_map(&s);
}

void tap_map_delete_slice(struct tap_context *c, struct tap_map *m, const union tap_value *keys, u32 wild)
{
	char *scratch = c->scratch;
	struct slice s = { c, m, keys, wild, SLICE_DELETE };

	if (!has_tables(m))
		s.keys = hold_keys(c, m, m->table, keys);
	if (s.keys)
		slice_map(&s);
	c->scratch = scratch;
}

/* ---- open and close ---- */

/* Units of store a table needs, by the rule in map.h. */
static u32 store_units(const struct tap_map *m)
{
	const struct tap_map_shape *shape = m->shape;
	u64 strings = shape->value_type == TAP_STRING_TYPE;
	u64 whole, some, least;
	u32 i;

	for (i = 0; i < shape->key_count; i++)
		strings += shape->key_types[i] == TAP_STRING_TYPE;
	if (!strings || m->string_size <= SHORT_TEXT)
		return 0;
	strings *= m->size;
	whole = strings * tap_store_units(m->string_size);
	some = strings * tap_store_units(64);
	least = (shape->value_type == TAP_STATS ? 256u << 10 : 1u << 20) / TAP_STORE_UNIT;
	if (some < least)
		some = least;
	whole = (whole < some ? whole : some) + 2;
	return whole < 0x7fffffff ? (u32)whole : 0x7fffffff;
}

static struct table *table_open(struct tap_map *m)
{
	u32 stride = m->value_at + m->value_size / 8 + (u32)sizeof(struct entry) / 8;
	u32 units = store_units(m);
	u32 order = 1;
	u64 heads, pool, bytes;
	struct table *t;

	while (order < 32 && (u64)1 << order < m->size)
		order++;
	pool = ((u64)m->size + 1) * stride;
	if (order == 32 || pool > ~0u)
		return NULL;
	heads = sizeof(*t) + pool * 8 + (u64)units * TAP_STORE_UNIT;
	bytes = heads + ((u64)4 << order);
	t = tap_alloc(bytes);
	if (!t)
		return NULL;
	t->pool = (u64 *)(t + 1);
	t->heads = (u32 *)((char *)t + heads);
	t->shift = 64 - order;
	t->stride = t->fresh = stride;
	t->size = m->size;
	t->bytes = bytes;
	tap_store_open(&t->store, (char *)(t->pool + pool), units);
	m->bytes += bytes;
	return t;
}

bool tap_map_open_cpu(struct tap_map *m, u32 cpu)
{
	struct table *t;

	if (!has_tables(m) || cpu >= m->cpus)
		return !has_tables(m);
	if (m->tables[cpu])
		return true;
	t = table_open(m);
	if (!t)
		return false;
	__atomic_store_n(&m->tables[cpu], t, __ATOMIC_RELEASE);
	return true;
}

static void describe_keys(struct tap_map *m)
{
	const struct tap_map_shape *shape = m->shape;
	u32 i;

	m->key_count = shape->key_count;
	for (i = 0; i < shape->key_count; i++) {
		m->key_at[i] = m->value_at;
		m->texts |= (u32)(shape->key_types[i] == TAP_STRING_TYPE) << i;
		m->value_at += shape->key_types[i] == TAP_LONG ? 1 : 2;
	}
	m->layout = LAYOUT_TUPLE;
	if (shape->key_count == 1)
		m->layout = shape->key_types[0] == TAP_LONG ? LAYOUT_LONG : LAYOUT_STRING;
}

static bool open_tables(struct tap_map *m)
{
	u32 cpu;

	if (m->value_type != TAP_STATS) {
		m->table = table_open(m);
		return m->table != NULL;
	}
	m->tables = tap_alloc(m->cpus * sizeof(*m->tables));
	if (!m->tables)
		return false;
	for (cpu = 0; cpu < m->cpus; cpu++)
		if (tap_host_cpu_online(cpu) && !tap_map_open_cpu(m, cpu))
			return false;
	return true;
}

struct tap_map *tap_map_open(const struct tap_map_shape *shape, const struct tap_limits *limits, u64 seed)
{
	struct tap_map *m = tap_alloc(sizeof(*m));

	if (!m)
		return NULL;
	m->shape = shape;
	m->bytes = sizeof(*m);
	m->size = shape->size ? shape->size : limits->map_entries;
	if (!m->size)
		m->size = 1;
	m->string_size = limits->string - 1;
	m->cpus = tap_host_cpus();
	m->seed[0] = mix(seed ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
	m->seed[1] = mix(seed ^ 0xc2b2ae3d27d4eb4fu, 0xa0761d6478bd642fu) | 1;
	m->value_size = shape->value_type == TAP_LONG ? 8 :
			shape->value_type == TAP_STATS ? tap_stat_size(shape->stat) : 16;
	m->value_type = shape->value_type;
	m->stat_extra = shape->value_type == TAP_STATS && tap_stat_has_extra(shape->stat);
	describe_keys(m);
	if (open_tables(m) && iterators_open(m))
		return m;
	tap_map_close(m);
	return NULL;
}

void tap_map_close(struct tap_map *m)
{
	u32 cpu;

	if (!m)
		return;
	iterators_close(m);
	tap_free(m->table);
	for (cpu = 0; m->tables && cpu < m->cpus; cpu++)
		tap_free(m->tables[cpu]);
	tap_free(m->tables);
	tap_free(m);
}

u64 tap_map_memory(const struct tap_map *m)
{
	return m->bytes;
}

u32 tap_map_count(const struct tap_map *m)
{
	u32 cpu, most = 0;

	if (!has_tables(m))
		return m->table->count;
	for (cpu = 0; cpu < m->cpus; cpu++) {
		struct table *t = table_of_cpu(m, cpu);

		if (t && t->count > most)
			most = t->count;
	}
	return most;
}

const struct tap_map_shape *tap_map_shape(const struct tap_map *m)
{
	return m->shape;
}
