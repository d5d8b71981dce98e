/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory layout of arrays, and so the memory that they take. It is computed before anything is allocated, both
 * for opening the arrays and for predicting their size (the translator). Calls no host function. */
#include "core/map_size.h"

#include "core/sort.h"
#include "core/stat.h"
#include "core/table.h"

/* ---- layout ---- */

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

void tap_map_describe(struct tap_map *m, const struct tap_map_shape *shape, const struct tap_limits *limits, u32 cpus)
{
	m->shape = shape;
	m->bytes = sizeof(*m);
	m->size = shape->size ? shape->size : limits->map_entries;
	if (!m->size)
		m->size = 1;
	m->string_size = limits->string - 1;
	m->cpus = cpus;
	m->value_size = shape->value_type == TAP_LONG ? 8 :
			shape->value_type == TAP_STATS ? tap_stat_size(shape->stat) : 16;
	m->value_type = shape->value_type;
	m->stat_extra = shape->value_type == TAP_STATS && tap_stat_has_extra(shape->stat);
	describe_keys(m);
}

/* ---- tables ---- */

/* The store that a table needs, by the rule in map.h. */
static void measure_store(const struct tap_map *m, struct tap_table_parts *p)
{
	enum { SMALL = 64 << 10 };

	const struct tap_map_shape *shape = m->shape;
	u64 strings = shape->value_type == TAP_STRING_TYPE;
	u64 whole, some, least;
	u32 i;

	p->units = p->least = 0;
	for (i = 0; i < shape->key_count; i++)
		strings += shape->key_types[i] == TAP_STRING_TYPE;
	if (!strings || m->string_size <= SHORT_TEXT)
		return;
	strings *= m->size;
	whole = strings * tap_store_units(m->string_size);
	some = strings * tap_store_units(64);
	least = (shape->value_type == TAP_STATS ? 256u << 10 : 1280u << 10) / TAP_STORE_UNIT;
	if (some < least)
		some = least;
	if (whole <= SMALL / TAP_STORE_UNIT)
		p->least = tap_store_units(m->string_size);
	whole = (whole < some ? whole : some) + 2;
	p->units = whole < 0x7fffffff ? (u32)whole : 0x7fffffff;
}

bool tap_table_measure(const struct tap_map *m, struct tap_table_parts *p)
{
	p->stride = m->value_at + m->value_size / 8 + (u32)sizeof(struct entry) / 8;
	measure_store(m, p);
	p->order = 1;
	while (p->order < 32 && (u64)1 << p->order < m->size)
		p->order++;
	p->pool = ((u64)m->size + 1) * p->stride;
	p->heads = sizeof(struct table) + p->pool * 8 + (u64)p->units * TAP_STORE_UNIT;
	p->all = p->heads + ((u64)4 << p->order);
	return p->order < 32 && p->pool <= ~0u;
}

static u64 table_size(const struct tap_map *m)
{
	struct tap_table_parts p;

	return tap_table_measure(m, &p) ? p.all : 0;
}

/* ---- iterators ---- */

/* For two nested live loops on each CPU, and some to spare. */
u32 tap_map_live_iterators(const struct tap_map *m)
{
	if (m->tables)
		return 0;
	return m->cpus * 2 > 8 ? m->cpus * 2 : 8;
}

u32 tap_map_key_strings(const struct tap_map *m)
{
	u32 strings = 0, i;

	for (i = 0; i < m->shape->key_count; i++)
		strings += m->shape->key_types[i] == TAP_STRING_TYPE;
	return strings;
}

static u64 iterators_size(const struct tap_map *m)
{
	const struct tap_iterator *it;
	u64 one = (u64)m->size * sizeof(*it->items);

	if (m->tables)
		one += m->shape->key_count * sizeof(*it->copies) + (u64)tap_map_key_strings(m) * (m->string_size + 1);
	return (u64)(m->shape->iterators + tap_map_live_iterators(m)) * sizeof(*it) + m->shape->iterators * one;
}

/* ---- total ---- */

u64 tap_map_size(const struct tap_map_shape *shape, const struct tap_limits *limits, u32 cpus, u32 online)
{
	struct table *none;
	struct tap_map m = { 0 };

	tap_map_describe(&m, shape, limits, cpus);
	if (m.value_type != TAP_STATS)
		return m.bytes + table_size(&m) + iterators_size(&m);
	m.tables = &none;
	return m.bytes + cpus * sizeof(*m.tables) + online * table_size(&m) + iterators_size(&m);
}

u64 tap_map_cpu_size(const struct tap_map *m)
{
	return m->tables ? table_size(m) : 0;
}
