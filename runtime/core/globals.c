/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read is hostile: each size is compared with what is left before it is used. An array's elements are saved in
 * the order of their age, those of aggregates table by table, and go back to the table of the same CPU, where there is
 * room for as many. */
#include "core/globals.h"

#include "core/host.h"
#include "core/map.h"
#include "core/stat.h"
#include "core/table.h"
#include "core/table_lock.h"

static u64 padded(u64 size)
{
	return (size + 7) & ~7ull;
}

/* ---- save ---- */

static void put(struct tap_saving *s, const void *data, u64 size)
{
	static const u64 zero;
	u64 all = padded(size);

	if (s->size + all <= s->room) {
		__builtin_memcpy(s->data + s->size, data, size);
		__builtin_memcpy(s->data + s->size + size, &zero, all - size);
	}
	s->size += all;
}

static void put_number(struct tap_saving *s, u64 n)
{
	put(s, &n, sizeof(n));
}

static void put_string(struct tap_saving *s, struct tap_string text)
{
	put_number(s, text.size);
	put(s, text.data, text.size);
}

static void put_keys(struct tap_saving *s, const struct tap_map *m, const struct table *t, struct entry *e)
{
	for (u32 i = 0; i < m->key_count; i++)
		if (is_text(m, i))
			put_string(s, slot_text(t, entry_slot(m, e, i)));
		else
			put_number(s, e->words[m->key_at[i]]);
}

static u32 save_values(struct tap_saving *s, const struct tap_map *m)
{
	const struct table *t = m->table;
	u32 count = 0;

	for (u32 ref = entry_at(t, 0)->newer; ref; ref = entry_at(t, ref)->newer, count++) {
		struct entry *e = entry_at(t, ref);

		put_keys(s, m, t, e);
		if (m->value_type == TAP_LONG)
			put(s, entry_value(m, e), sizeof(s64));
		else
			put_string(s, slot_text(t, entry_value(m, e)));
	}
	return count;
}

/* Its lock is held for one element at a time, so other handlers add elements meanwhile: not in the order of age. */
static u32 save_table(struct tap_context *c, struct tap_saving *s, const struct tap_map *m, u32 cpu)
{
	u32 stride = cpu < m->cpus && m->tables[cpu] ? m->tables[cpu]->stride : 0, count = 0;

	for (u32 ref = stride; stride; ref += stride) {
		unsigned long flags;
		struct table *t = tap_table_enter(c, m, cpu, &flags);
		bool more = t && ref < t->fresh;

		if (more && entry_at(t, ref)->serial) {
			put_number(s, cpu);
			put_keys(s, m, t, entry_at(t, ref));
			put(s, entry_value(m, entry_at(t, ref)), m->value_size);
			count++;
		}
		if (t)
			tap_table_leave(t, flags);
		if (!more)
			break;
	}
	return count;
}

static u32 save_map(struct tap_context *c, struct tap_saving *s, const struct tap_map *m)
{
	u32 count = 0;

	if (!m->tables)
		return save_values(s, m);
	for (u32 cpu = 0; cpu < m->cpus; cpu++)
		count += save_table(c, s, m, cpu);
	return count;
}

static void save_scalar(struct tap_context *c, struct tap_saving *s, const struct tap_global *g)
{
	char *scratch = c->scratch;
	const struct tap_stat *stat;

	switch (g->type) {
	case TAP_LONG:
		put_number(s, (u64)tap_add(*(s64 *)g->value, g->is_counter ? tap_counter_read(g->cell) : 0));
		break;
	case TAP_STRING_TYPE:
		put_string(s, tap_cell_get(g->value));
		break;
	default:
		stat = tap_stat_read(c, g->cell, g->stat);
		if (stat)
			put(s, stat, tap_stat_size(g->stat));
		c->scratch = scratch;
	}
}

static struct tap_saved describe(const struct tap_global *g)
{
	const struct tap_map_shape *shape = g->map ? tap_map_shape(*g->map) : NULL;
	const struct tap_stat_shape *stat = shape ? shape->stat : g->stat;
	struct tap_saved head = { .name_size = (u32)__builtin_strlen(g->name), .count = 1, .type = g->type };

	if (shape) {
		head.key_count = shape->key_count;
		__builtin_memcpy(head.key_types, shape->key_types, sizeof(head.key_types));
	}
	if (stat)
		head.stat = *stat;
	return head;
}

static void save_global(struct tap_context *c, struct tap_saving *s, const struct tap_global *g)
{
	struct tap_saved head = describe(g);
	u64 start = s->size;

	put(s, &head, sizeof(head));
	put(s, g->name, head.name_size);
	if (g->map)
		head.count = save_map(c, s, *g->map);
	else
		save_scalar(c, s, g);
	head.size = s->size - start;
	if (start + sizeof(head) <= s->room)
		__builtin_memcpy(s->data + start, &head, sizeof(head));
}

void tap_globals_save(struct tap_context *c, struct tap_saving *s)
{
	s->size = 0;
	for (u32 i = 0; i < tap_script.globals->count; i++)
		save_global(c, s, &tap_script.globals->list[i]);
}

/* ---- load ---- */

struct loading {
	struct tap_context *c;
	const u8 *at, *end;
	bool is_bad;
	struct tap_saved head;		/* of the global that is read */
	void (*tell)(struct tap_context *c, const char *name, const char *why);
};

static const void *take(struct loading *l, u64 size)
{
	const u8 *at = l->at;

	if (l->is_bad || size > (u64)(l->end - at) || padded(size) > (u64)(l->end - at)) {
		l->is_bad = true;
		return NULL;
	}
	l->at += padded(size);
	return at;
}

static u64 take_number(struct loading *l)
{
	const void *at = take(l, sizeof(u64));
	u64 n = 0;

	if (at)
		__builtin_memcpy(&n, at, sizeof(n));
	return n;
}

static struct tap_string take_string(struct loading *l)
{
	u64 size = take_number(l);
	const char *at = take(l, size);

	return at ? (struct tap_string){ at, size } : TAP_EMPTY;
}

static bool same_hist(const struct tap_hist_shape *a, const struct tap_hist_shape *b)
{
	return a->op == b->op && a->bits == b->bits && a->low == b->low && a->high == b->high && a->step == b->step &&
	       a->buckets == b->buckets;
}

static const struct tap_hist_shape *find_hist(const struct tap_stat_shape *shape, const struct tap_hist_shape *wanted)
{
	for (u32 i = 0; i < shape->hist_count && i < 4; i++)
		if (same_hist(&shape->hists[i], wanted) &&
		    (u64)shape->hists[i].first + shape->hists[i].buckets <= shape->buckets)
			return &shape->hists[i];
	return NULL;
}

/* Does the saved shape keep everything that WANTED does? */
static bool keeps(const struct tap_stat_shape *saved, const struct tap_stat_shape *wanted)
{
	if (saved->buckets > 4 * 16384 || (wanted && wanted->variance && !saved->variance))
		return false;
	for (u32 i = 0; wanted && i < wanted->hist_count; i++)
		if (!find_hist(saved, &wanted->hists[i]))
			return false;
	return true;
}

/* Adds a saved aggregate, with the buckets in the places that SHAPE has for them. */
static void add_stat(struct tap_stat *into, const struct tap_stat *from, const struct loading *l,
		     const struct tap_stat_shape *shape)
{
	if (from->count <= 0)
		return;
	tap_stat_merge(into, from, NULL);
	for (u32 i = 0; shape && i < shape->hist_count; i++) {
		const struct tap_hist_shape *to = &shape->hists[i], *old = find_hist(&l->head.stat, to);

		for (u32 b = 0; b < to->buckets; b++)
			into->buckets[to->first + b] += from->buckets[old->first + b];
	}
}

static const struct tap_stat *take_stat(struct loading *l)
{
	return take(l, sizeof(struct tap_stat) + (u64)l->head.stat.buckets * sizeof(s64));
}

static struct table *table_for(const struct tap_map *m, u64 cpu)
{
	for (u32 i = 0; i < m->cpus; i++) {
		struct table *t = m->tables[(cpu + i) % m->cpus];

		if (t)
			return t;
	}
	return NULL;
}

static bool load_stat(struct loading *l, struct tap_map *m, u64 cpu, const union tap_value *keys)
{
	const struct tap_stat *from = take_stat(l);
	struct table *t = table_for(m, cpu);
	struct search search;
	struct entry *e;

	if (!from || !t)
		return false;
	e = find(m, t, keys, &search);
	e = e ? e : tap_table_insert(l->c, m, t, keys, search);
	if (e)
		add_stat(entry_value(m, e), from, l, m->shape->stat);
	return e;
}

static bool load_element(struct loading *l, struct tap_map *m)
{
	u64 cpu = m->tables ? take_number(l) : 0;
	union tap_value keys[TAP_MOST_KEYS];
	bool fits = true;
	s64 number, *slot;

	for (u32 i = 0; i < m->key_count; i++)
		if (is_text(m, i)) {
			keys[i].s = take_string(l);
			fits &= keys[i].s.size <= m->string_size;
		} else {
			keys[i].n = (s64)take_number(l);
		}
	if (m->tables)
		return fits ? load_stat(l, m, cpu, keys) : (take_stat(l), false);
	if (m->value_type == TAP_STRING_TYPE) {
		struct tap_string text = take_string(l);

		return !l->is_bad && fits && tap_map_set_string(l->c, m, keys, text);
	}
	number = (s64)take_number(l);
	slot = !l->is_bad && fits ? tap_map_slot_long(l->c, m, keys) : NULL;
	if (slot)
		*slot = number;
	return slot;
}

static bool load_map(struct loading *l, struct tap_map *m)
{
	bool all = true;

	for (u32 i = 0; i < l->head.count && !l->is_bad; i++) {
		all &= load_element(l, m);
		l->c->error = NULL;	/* of a full array */
	}
	return all;
}

static bool load_scalar(struct loading *l, const struct tap_global *g)
{
	const struct tap_stat *stat;
	struct tap_string text;
	bool fits = true;

	switch (g->type) {
	case TAP_LONG:
		*(s64 *)g->value = (s64)take_number(l);
		break;
	case TAP_STRING_TYPE:
		text = take_string(l);
		fits = text.size < tap_script.limits.string;
		if (fits)
			tap_cell_set(g->value, text);
		break;
	default:
		stat = take_stat(l);
		if (stat)
			add_stat((struct tap_stat *)(l->c->cells + g->cell), stat, l, g->stat);
	}
	return fits;
}

static bool agrees(const struct tap_saved *saved, const struct tap_global *g)
{
	struct tap_saved own = describe(g);

	return saved->type == own.type && saved->key_count == own.key_count &&
	       __builtin_memcmp(saved->key_types, own.key_types, sizeof(own.key_types)) == 0;
}

static const struct tap_global *find_global(const char *name, u32 size)
{
	for (u32 i = 0; i < tap_script.globals->count; i++) {
		const char *own = tap_script.globals->list[i].name;

		if (__builtin_strlen(own) == size && __builtin_memcmp(own, name, size) == 0)
			return &tap_script.globals->list[i];
	}
	return NULL;
}

static void load_global(struct loading *l)
{
	const char *name = take(l, l->head.name_size);
	const struct tap_global *g = name ? find_global(name, l->head.name_size) : NULL;

	if (!g)
		return;
	if (!agrees(&l->head, g))
		l->tell(l->c, g->name, "its keys or its value have another type");
	else if (g->type == TAP_STATS && !keeps(&l->head.stat, g->map ? (*g->map)->shape->stat : g->stat))
		l->tell(l->c, g->name, "it did not keep all that is read now");
	else if (!(g->map ? load_map(l, *g->map) : load_scalar(l, g)) && !l->is_bad)
		l->tell(l->c, g->name, "not all of it fits");
}

bool tap_globals_load(struct tap_context *c, const u8 *data, u64 size,
		      void (*tell)(struct tap_context *c, const char *name, const char *why))
{
	struct loading l = { .c = c, .at = data, .end = data + size, .tell = tell };

	while (l.at < data + size) {
		const u8 *start = l.at;
		const void *head = take(&l, sizeof(l.head));

		if (!head)
			return false;
		__builtin_memcpy(&l.head, head, sizeof(l.head));
		/* any byte may be there, but a bool is 0 or 1 */
		l.head.stat.variance = ((const u8 *)head)[__builtin_offsetof(struct tap_saved, stat.variance)] != 0;
		if (l.head.size > (u64)(data + size - start) || l.head.size < sizeof(l.head) || l.head.size % 8)
			return false;
		l.end = start + l.head.size;
		load_global(&l);
		if (l.is_bad)
			return false;
		l.at = l.end;
		l.end = data + size;
	}
	return true;
}
