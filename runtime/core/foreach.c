/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreach, in two ways. An unsorted loop over longs or strings is live: it holds the ref of the next entry, and the
 * deletion of that entry moves it on. All other loops work on a list of items made at the beginning and sorted if
 * requested; an item whose entry has a different serial by then is skipped.
 *
 * Over aggregates, the table of each CPU is read under its lock, a few entries at a time; an element is listed for
 * the first table that contains it. Its keys are copied, because that table may free the entry at any time. */
#include "core/format.h"
#include "core/table.h"
#include "core/table_lock.h"
#include "core/sort.h"
#include "core/stat.h"

/* The tag of an item: the entry's serial; for aggregates its low bits, with the CPU above them. */
enum { SERIAL_BITS = 20, SERIAL_MASK = (1 << SERIAL_BITS) - 1, MOST_CPUS = 1 << (32 - SERIAL_BITS) };

static u32 tag_of(const struct tap_map *m, const struct entry *e, u32 cpu)
{
	return m->tables ? cpu << SERIAL_BITS | (e->serial & SERIAL_MASK) : e->serial;
}

/* ---- acquire and release ---- */

static struct tap_iterator *take(struct tap_context *c, struct tap_map *m, bool live)
{
	u32 first = live ? m->sorting : 0;
	u32 count = live ? m->iterator_count - m->sorting : m->sorting;
	u32 start = live ? tap_host_cpu() * 2 : 0;
	u32 i;

	for (i = 0; i < count; i++) {
		struct tap_iterator *it = &m->iterators[first + (start + i) % count];

		if (__atomic_exchange_n(&it->used, 1, __ATOMIC_ACQUIRE))
			continue;
		it->map = m;
		it->live = live;
		return it;
	}
	tap_error(c, "too many concurrent foreach loops over '%s'", m->shape->name);
	return NULL;
}

void tap_foreach_end(struct tap_context *c, struct tap_iterator *it)
{
	(void)c;
	if (it->live)
		__atomic_fetch_sub(&it->map->live, 1, __ATOMIC_RELAXED);
	it->newer = 0;
	__atomic_store_n(&it->used, 0, __ATOMIC_RELEASE);
}

/* ---- live ---- */

static struct tap_iterator *start_live(struct tap_context *c, struct tap_map *m, s64 limit,
				       const union tap_value *keys, u32 wild)
{
	struct tap_iterator *it = take(c, m, true);

	if (!it)
		return NULL;
	it->newer = entry_at(m->table, 0)->newer;
	it->last_serial = m->table->serial;
	it->left = limit;
	it->keys = keys;
	it->wild = wild;
	it->cpu = 0;
	__atomic_fetch_add(&m->live, 1, __ATOMIC_RELAXED);
	return it;
}

static u32 all_keys(const struct tap_map *m)
{
	return (1u << m->shape->key_count) - 1;
}

static bool next_live(struct tap_context *c, struct tap_iterator *it)
{
	struct tap_map *m = it->map;
	struct table *t = m->table;
	bool sliced = (it->wild & all_keys(m)) != all_keys(m);
	u32 steps = 0;

	while (it->newer && it->left) {
		struct entry *e = entry_at(t, it->newer);

		if ((s32)(e->serial - it->last_serial) > 0)
			break;			/* inserted since the start: the list is sorted by age */
		it->ref = it->newer;
		it->newer = e->newer;
		if (!sliced || tap_table_matches(m, t, e, it->keys, it->wild)) {
			it->left -= it->left > 0;
			return true;
		}
		if (++steps % TAP_STEPS_BETWEEN == 0 && !tap_host_go_on(c))
			break;
	}
	it->newer = 0;
	return false;
}

/* ---- listed: longs and strings ---- */

/* A number that sorts as the first eight bytes of the string do. */
static s64 text_key(struct tap_string s)
{
	u64 key = 0;
	u32 i;

	for (i = 0; i < 8; i++)
		key = key << 8 | (i < s.size ? (u8)s.data[i] : 0);
	return (s64)(key ^ (u64)1 << 63);
}

struct collecting {
	struct tap_sort sort;
	struct tap_map *m;
	struct tap_iterator *it;
	struct tap_order order;
	const union tap_value *keys;
	u32 wild;
	bool sorted;
	bool whole;			/* a warning says if elements are left out, because more than fit in the list */
	bool left_out;
	struct tap_stat *stat;		/* scratch for merging, if the sort key is computed from it */
};

static bool sorts_by_text(const struct collecting *s)
{
	if (!s->sorted)
		return false;
	return s->order.sort_key ? is_text(s->m, (u32)s->order.sort_key - 1)
				 : s->m->value_type == TAP_STRING_TYPE;
}

static const struct slot *sort_slot(const struct collecting *s, struct entry *e)
{
	return s->order.sort_key ? entry_slot(s->m, e, (u32)s->order.sort_key - 1) : entry_value(s->m, e);
}

static const struct table *table_of(const struct tap_map *m, u32 tag)
{
	return m->tables ? m->tables[tag >> SERIAL_BITS] : m->table;
}

/* The text of SLOT. If SLOT is being modified meanwhile, the result is at least within the
 * table. */
static struct tap_string checked_text(const struct table *t, const struct slot *slot)
{
	struct tap_string s;

	if (!slot_is_long(slot))
		return slot_text(t, slot);
	s = slot_text(t, slot);
	if (slot_piece(slot) >= t->store.units ||
	    s.size > (u64)(t->store.units - slot_piece(slot)) * TAP_STORE_UNIT - 8)
		return TAP_EMPTY;
	return s;
}

static int compare_texts(const struct tap_sort *sort, const struct tap_sort_item *a,
			 const struct tap_sort_item *b)
{
	const struct collecting *s = sort->owner;
	const struct table *t = table_of(s->m, a->tag), *u = table_of(s->m, b->tag);
	struct slot left = *sort_slot(s, entry_at(t, a->ref));
	struct slot right = *sort_slot(s, entry_at(u, b->ref));
	int order = tap_string_compare(checked_text(t, &left), checked_text(u, &right));

	return s->order.direction < 0 ? -order : order;
}

static s64 directed(const struct collecting *s, s64 key)
{
	return s->order.direction < 0 ? ~key : key;
}

/* Returns false to stop. */
static bool add_item(struct collecting *s, struct tap_sort_item item)
{
	if (s->sorted)
		return tap_sort_offer(&s->sort, item);
	if (s->sort.count == s->sort.room)
		return false;
	s->sort.items[s->sort.count++] = item;
	return ++s->sort.steps % TAP_STEPS_BETWEEN || tap_host_go_on(s->sort.c);
}

static s64 key_of(const struct collecting *s, const struct table *t, struct entry *e)
{
	if (!s->sorted)
		return 0;
	if (s->sort.compare) {
		struct slot slot = *sort_slot(s, e);

		return directed(s, text_key(checked_text(t, &slot)));
	}
	if (s->order.sort_key)
		return directed(s, (s64)e->words[s->m->key_at[s->order.sort_key - 1]]);
	return directed(s, *(s64 *)entry_value(s->m, e));
}

static bool collect_table(struct collecting *s)
{
	struct table *t = s->m->table;
	bool sliced = (s->wild & all_keys(s->m)) != all_keys(s->m);
	u32 ref;

	for (ref = entry_at(t, 0)->newer; ref; ref = entry_at(t, ref)->newer) {
		struct entry *e = entry_at(t, ref);

		if (sliced && !tap_table_matches(s->m, t, e, s->keys, s->wild))
			continue;
		if (!add_item(s, (struct tap_sort_item){ key_of(s, t, e), ref, tag_of(s->m, e, 0) }))
			break;
	}
	return !s->sort.c->error;
}

/* ---- listed: aggregates ---- */

/* Copies E's keys into the iterator; E's table is locked. */
static void copy_keys(struct tap_iterator *it, const struct table *t, struct entry *e)
{
	struct tap_map *m = it->map;
	char *text = it->texts;
	u32 i;

	for (i = 0; i < m->shape->key_count; i++) {
		struct tap_string s;

		if (m->shape->key_types[i] == TAP_LONG) {
			it->copies[i].n = (s64)e->words[m->key_at[i]];
			continue;
		}
		s = slot_text(t, entry_slot(m, e, i));
		__builtin_memcpy(text, s.data, s.size);
		text[s.size] = 0;
		it->copies[i].s = (struct tap_string){ text, s.size };
		text += m->string_size + 1;
	}
}

/* Whether the element with the iterator's keys is in no table before CPU's. If so, and the sort
 * key comes from the aggregate, merges it from the tables of CPU and those after it. */
static bool is_first(struct collecting *s, u32 cpu)
{
	struct tap_map *m = s->m;
	u64 hash = tap_table_hash(m, s->it->copies);
	u32 end = s->stat ? m->cpus : cpu;
	bool first = true;
	u32 i;

	if (s->stat)
		tap_stat_reset(s->stat, m->shape->stat);
	for (i = 0; i < end && first; i++) {
		unsigned long flags;
		struct table *t = tap_table_enter(s->sort.c, m, i, &flags);
		struct entry *e;

		if (!t)
			continue;
		e = tap_table_find(m, t, s->it->copies, hash);
		if (e && i < cpu)
			first = false;
		else if (e && s->stat)
			tap_stat_merge(s->stat, entry_value(m, e), m->shape->stat);
		tap_table_leave(t, flags);
	}
	return first;
}

static s64 stat_key(const struct collecting *s)
{
	const char *reason;
	s64 value;

	tap_stat_compute(s->stat, s->m->shape->stat, s->order.op, s->order.param, &value, &reason);
	return directed(s, value);
}

/* Reads the entry at REF of CPU's table if it is in use and matches the slice: makes its item
 * and copies its keys. */
static bool read_entry(struct collecting *s, u32 cpu, u32 ref, struct tap_sort_item *item, bool *end)
{
	unsigned long flags;
	struct table *t = tap_table_enter(s->sort.c, s->m, cpu, &flags);
	struct entry *e;
	bool fits = false;

	*end = true;
	if (!t)
		return false;
	if (ref < t->fresh) {
		*end = false;
		e = entry_at(t, ref);
		fits = e->serial && tap_table_matches(s->m, t, e, s->keys, s->wild);
		if (fits) {
			item->ref = ref;
			item->tag = tag_of(s->m, e, cpu);
			item->key = s->stat ? 0 : key_of(s, t, e);
			copy_keys(s->it, t, e);
		}
	}
	tap_table_leave(t, flags);
	return fits;
}

static bool collect_cpu(struct collecting *s, u32 cpu)
{
	struct table *t = s->m->tables[cpu];
	struct tap_sort_item item;
	u32 ref;
	bool end = !t;

	for (ref = t ? t->stride : 0; !end; ref += t->stride) {
		if (!read_entry(s, cpu, ref, &item, &end) || !is_first(s, cpu))
			continue;
		if (s->stat)
			item.key = stat_key(s);
		s->left_out |= s->whole && s->sort.count == s->sort.room;
		if (!add_item(s, item))
			return false;
	}
	return true;
}

static __attribute__((__noinline__, __format__(printf, 2, 3))) void warn(struct tap_context *c, const char *format, ...)
{
	char text[200];
	__builtin_va_list args;

	__builtin_va_start(args, format);
	tap_print_text(c, TAP_ITEM_WARNING,
		       (struct tap_string){ text, tap_format_arguments(text, sizeof(text), format, args) });
	__builtin_va_end(args);
}

/* Each CPU has room for the array's number of elements, and a loop for as many in all. */
static __attribute__((__noinline__)) bool collect_tables(struct collecting *s)
{
	char *scratch = s->sort.c->scratch;
	u32 cpu;

	if (s->sorted && !s->order.sort_key) {
		s->stat = tap_scratch(s->sort.c, s->m->value_size);
		if (!s->stat)
			return false;
	}
	for (cpu = 0; cpu < s->m->cpus && cpu < MOST_CPUS; cpu++)
		if (!collect_cpu(s, cpu))
			break;
	s->sort.c->scratch = scratch;
	if (s->left_out && !s->sort.c->error)
		warn(s->sort.c, "a loop over array '%s' leaves out elements: it has more than %u on all CPUs together",
		     s->m->shape->name, s->m->size);
	return !s->sort.c->error;
}

/* ---- listed, both ---- */

static struct tap_iterator *start_listed(struct tap_context *c, struct tap_map *m, struct tap_order order,
					 s64 limit, const union tap_value *keys, u32 wild)
{
	struct tap_iterator *it = take(c, m, false);
	u32 room = limit >= 0 && limit < (s64)m->size ? (u32)limit : m->size;
	struct collecting s = {
		.m = m, .it = it, .order = order, .keys = keys, .wild = wild,
		.sorted = order.direction != 0 && order.sort_key >= 0,
		.whole = (limit < 0 || limit > (s64)m->size) && !m->shape->wrap,
		.sort = { .c = c, .room = room, .owner = &s },
	};

	if (!it)
		return NULL;
	s.sort.items = it->items;
	if (sorts_by_text(&s))
		s.sort.compare = compare_texts;
	if (room && (m->tables ? !collect_tables(&s) : !collect_table(&s)))
		goto fail;
	if (s.sorted && !tap_sort_finish(&s.sort))
		goto fail;
	it->count = s.sort.count;
	it->at = 0;
	return it;
fail:
	tap_foreach_end(c, it);
	return NULL;
}

static bool next_listed_long(struct tap_iterator *it)
{
	const struct table *t = it->map->table;

	while (it->at < it->count) {
		const struct tap_sort_item *item = &it->items[it->at++];

		if (item->ref < t->fresh && entry_at(t, item->ref)->serial == item->tag) {
			it->ref = item->ref;
			return true;
		}
	}
	return false;
}

static bool next_listed_stat(struct tap_context *c, struct tap_iterator *it)
{
	struct tap_map *m = it->map;

	while (it->at < it->count) {
		const struct tap_sort_item *item = &it->items[it->at++];
		u32 cpu = item->tag >> SERIAL_BITS;
		unsigned long flags;
		struct table *t = tap_table_enter(c, m, cpu, &flags);
		bool there = false;

		if (!t)
			continue;
		if (item->ref < t->fresh) {
			struct entry *e = entry_at(t, item->ref);

			there = e->serial && tag_of(m, e, cpu) == item->tag;
			if (there)
				copy_keys(it, t, e);
		}
		tap_table_leave(t, flags);
		if (there)
			return true;
	}
	return false;
}

/* ---- the public functions ---- */

struct tap_iterator *tap_foreach(struct tap_context *c, struct tap_map *m, struct tap_order order,
				 s64 limit, const union tap_value *keys, u32 wild)
{
	if (m->tables || (order.direction && order.sort_key >= 0))
		return start_listed(c, m, order, limit, keys, wild);
	return start_live(c, m, limit < 0 ? -1 : limit, keys, wild);
}

bool tap_foreach_next(struct tap_context *c, struct tap_iterator *it)
{
	if (it->live)
		return next_live(c, it);
	return it->map->tables ? next_listed_stat(c, it) : next_listed_long(it);
}

s64 tap_foreach_key_long(struct tap_iterator *it, u32 key)
{
	struct tap_map *m = it->map;

	return m->tables ? it->copies[key].n : (s64)entry_at(m->table, it->ref)->words[m->key_at[key]];
}

struct tap_string tap_foreach_key_string(struct tap_iterator *it, u32 key)
{
	struct tap_map *m = it->map;

	if (m->tables)
		return it->copies[key].s;
	return slot_text(m->table, entry_slot(m, entry_at(m->table, it->ref), key));
}

s64 tap_foreach_long(struct tap_iterator *it)
{
	return *(s64 *)entry_value(it->map, entry_at(it->map->table, it->ref));
}

struct tap_string tap_foreach_string(struct tap_iterator *it)
{
	struct tap_map *m = it->map;

	return slot_text(m->table, entry_value(m, entry_at(m->table, it->ref)));
}

const struct tap_stat *tap_foreach_stat(struct tap_context *c, struct tap_iterator *it)
{
	return tap_map_read_stat(c, it->map, it->copies);
}
