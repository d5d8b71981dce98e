/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: the functions of the ABI, on one table or on those of all CPUs. */
#include "core/table.h"
#include "core/stat.h"
#include "core/string.h"
#include "core/table_lock.h"

static bool has_tables(const struct tap_map *m)
{
	return m->tables != NULL;
}

/* ---- the public functions ---- */

static __attribute__((__noinline__)) s64 *find_other(struct tap_map *m, const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, m->table, keys, &s);

	return e ? entry_value(m, e) : NULL;
}

s64 *tap_map_find_number(struct tap_map *m, s64 key)
{
	struct entry *e = find_long(m->table, (u64)key, hash_number(m, (u64)key));

	return e ? (s64 *)&e->words[1] : NULL;
}

s64 *tap_map_find_long(struct tap_map *m, const union tap_value *keys)
{
	return m->layout == LAYOUT_LONG ? tap_map_find_number(m, keys->n) : find_other(m, keys);
}

static __attribute__((__noinline__)) s64 *slot_other(struct tap_context *c, struct tap_map *m,
						 const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, m->table, keys, &s);

	if (!e)
		e = tap_table_insert(c, m, m->table, keys, s);
	return e ? entry_value(m, e) : NULL;
}

s64 *tap_map_slot_number(struct tap_context *c, struct tap_map *m, s64 key)
{
	u64 hash = hash_number(m, (u64)key);
	struct entry *e = find_long(m->table, (u64)key, hash);

	return tap_likely(e) ? (s64 *)&e->words[1] : tap_table_insert_number(c, m, key, hash);
}

s64 *tap_map_slot_long(struct tap_context *c, struct tap_map *m, const union tap_value *keys)
{
	return m->layout == LAYOUT_LONG ? tap_map_slot_number(c, m, keys->n) : slot_other(c, m, keys);
}

struct tap_string tap_map_get_string(struct tap_map *m, const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, m->table, keys, &s);

	return e ? slot_text(m->table, entry_value(m, e)) : TAP_EMPTY;
}

/* Frees room for a long text by deleting the oldest entry, unless that is E itself. */
static bool drop_for(struct tap_map *m, struct table *t, const struct entry *e, u32 dropped)
{
	struct entry *oldest = entry_at(t, entry_at(t, 0)->newer);

	if (!m->shape->wrap || oldest == e || dropped == TAP_TABLE_MOST_DROPPED)
		return false;
	tap_table_delete(m, t, oldest);
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
	if (m->shape->wrap && (is_new || s.size > SHORT_TEXT) && table_contains(t, s.data))
		s = tap_string_hold(c, s);
	if (is_new)
		e = tap_table_insert(c, m, t, keys, search);
	while (e && !tap_table_set_text(m, t, e, s)) {
		if (drop_for(m, t, e, dropped++))
			continue;
		if (is_new)
			tap_table_delete(m, t, e);
		e = tap_table_no_room(c, m, t);
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
		t = tap_table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		found = find(m, t, keys, &s) != NULL;
		tap_table_leave(t, flags);
	}
	return found;
}

static void delete_from(struct tap_map *m, struct table *t, const union tap_value *keys)
{
	struct search s;
	struct entry *e = find(m, t, keys, &s);

	if (e)
		tap_table_delete_found(m, t, e, s.hash);
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
		t = tap_table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		delete_from(m, t, keys);
		tap_table_leave(t, flags);
	}
}

void tap_map_delete_found(struct tap_map *m, s64 *value)
{
	struct entry *e = (struct entry *)((u64 *)value - m->value_at) - 1;

	if (m->layout == LAYOUT_LONG)
		tap_table_delete_found(m, m->table, e, hash_number(m, e->words[0]));
	else
		tap_table_delete(m, m->table, e);
}

void tap_map_delete_number(struct tap_map *m, s64 key)
{
	u64 hash = hash_number(m, (u64)key);
	struct entry *e = find_long(m->table, (u64)key, hash);

	if (e)
		tap_table_delete_found(m, m->table, e, hash);
}

void tap_map_clear(struct tap_map *m)
{
	unsigned long flags;
	struct table *t;
	u32 cpu;

	if (!has_tables(m)) {
		tap_table_clear(m, m->table);
		return;
	}
	for (cpu = 0; cpu < m->cpus; cpu++) {
		t = tap_table_enter(NULL, m, cpu, &flags);
		if (!t)
			continue;
		tap_table_clear(m, t);
		tap_table_leave(t, flags);
	}
}

/* The map's lock replaces the aggregate's own sequence. */
static void add_locked(struct tap_context *c, struct tap_map *m, struct table *t,
		       const union tap_value *keys, s64 value)
{
	struct search s;
	struct entry *e = find(m, t, keys, &s);
	struct tap_stat *stat;

	if (tap_unlikely(!e)) {
		e = tap_table_insert(c, m, t, keys, s);
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

	if (tap_likely(t && table_lock(t, cpu + 1))) {
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
		struct table *t = tap_table_enter(c, m, cpu, &flags);
		struct search s;
		struct entry *e;

		if (!t)
			continue;
		e = find(m, t, keys, &s);
		if (e) {
			tap_stat_merge(all, entry_value(m, e), m->shape->stat);
			found = true;
		}
		tap_table_leave(t, flags);
	}
	if (found)
		return all;
	c->scratch = scratch;
	return NULL;
}

/* ---- slices ---- */

enum slice_action { SLICE_HAS, SLICE_DELETE };
enum { SLICE_STEPS = 256 };		/* entries of an aggregate table handled at a time with interrupts off */

struct slice {
	struct tap_context *c;
	struct tap_map *m;
	const union tap_value *keys;
	u32 wild;
	enum slice_action action;
};

/* Returns true when one was found and one is enough. */
static bool slice_entry(const struct slice *s, struct table *t, struct entry *e)
{
	if (!tap_table_matches(s->m, t, e, s->keys, s->wild))
		return false;
	if (s->action == SLICE_HAS)
		return true;
	tap_table_delete(s->m, t, e);
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

/* Handles a few entries at a time, by position: other CPUs may add entries in between. */
static bool slice_cpu(const struct slice *s, u32 cpu)
{
	unsigned long flags;
	struct table *t;
	bool found = false;
	u32 ref = 0, steps;

	do {
		t = tap_table_enter(s->c, s->m, cpu, &flags);
		if (!t)
			return false;
		ref = ref ? ref : t->stride;
		for (steps = 0; ref < t->fresh && !found && steps < SLICE_STEPS; steps++) {
			if (entry_at(t, ref)->serial)
				found = slice_entry(s, t, entry_at(t, ref));
			ref += t->stride;
		}
		tap_table_leave(t, flags);
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
		s.keys = tap_table_hold_keys(c, m, m->table, keys);
	if (s.keys)
		slice_map(&s);
	c->scratch = scratch;
}

/* ---- open and close ---- */

bool tap_map_open_cpu(struct tap_map *m, u32 cpu)
{
	struct table *t;

	if (!has_tables(m) || cpu >= m->cpus)
		return !has_tables(m);
	if (m->tables[cpu])
		return true;
	t = tap_table_open(m);
	if (!t)
		return false;
	__atomic_store_n(&m->tables[cpu], t, __ATOMIC_RELEASE);
	return true;
}

static bool open_tables(struct tap_map *m)
{
	u32 cpu;

	if (m->value_type != TAP_STATS) {
		m->table = tap_table_open(m);
		return m->table != NULL;
	}
	m->tables = tap_alloc(m->cpus * sizeof(*m->tables));
	if (!m->tables)
		return false;
	m->bytes += m->cpus * sizeof(*m->tables);
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
	tap_map_describe(m, shape, limits, tap_host_cpus());
	m->seed[0] = mix(seed ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
	m->seed[1] = mix(seed ^ 0xc2b2ae3d27d4eb4fu, 0xa0761d6478bd642fu) | 1;
	if (open_tables(m) && tap_iterators_open(m))
		return m;
	tap_map_close(m);
	return NULL;
}

void tap_map_close(struct tap_map *m)
{
	u32 cpu;

	if (!m)
		return;
	tap_iterators_close(m);
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
