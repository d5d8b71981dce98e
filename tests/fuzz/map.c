/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: any sequence of operations on a map, with several foreach open at once, compared with a table that has
 * a place for every possible key.
 *
 * sources: tests/unit/support/core-host.c runtime/core/!(globals).c
 */
#include <stdint.h>
#include "core-test.h"
#include "core/map.h"
#include "core/stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIRST = 12, SECOND = 4, OPEN = 3 };	/* number of values of each key; concurrent foreach loops */

struct place {
	bool there;
	u64 age;
	s64 value;			/* or the sum */
	u8 text;			/* the value, if a string */
	s64 count;
};

static struct place model[FIRST][SECOND];
static struct tap_map_shape shape;
static struct tap_stat_shape stat_shape;
static struct tap_map *m;
static struct tap_context *c;
static u64 age;
static u32 count;

static const char *const texts[FIRST] = {
	"", "a", "b", "ab", "seven77", "eight888", "fifteen fifteen", "sixteen sixteen!",
	"a longer text, longer than any slot", "a longer text, longer than any Slot",
	"and one that is longer still: 0123456789 0123456789 0123456789 0123456789", "\xff\x80",
};

static const union tap_value *keys_of(u32 i, u32 j)
{
	static union tap_value keys[2];

	if (shape.key_types[0] == TAP_LONG)
		keys[0].n = (s64)i - 3;
	else
		keys[0].s = text_of(texts[i]);
	if (shape.key_types[1] == TAP_LONG)
		keys[1].n = (s64)j << 40;
	else
		keys[1].s = text_of(texts[j + 6]);
	return keys;
}

static struct place *oldest(void)
{
	struct place *best = NULL;
	u32 i;

	for (i = 0; i < FIRST * SECOND; i++) {
		struct place *p = &model[0][0] + i;

		if (p->there && (!best || p->age < best->age))
			best = p;
	}
	return best;
}

static void forget(struct place *p)
{
	count -= p->there;
	p->there = false;
	p->value = p->count = 0;
	p->text = 0;
}

/* Adds an element to the model; false if there is no room. */
static bool appear(struct place *p)
{
	if (p->there)
		return true;
	if (count == shape.size) {
		if (!shape.wrap)
			return false;
		forget(oldest());
	}
	p->there = true;
	p->age = ++age;
	count++;
	return true;
}

static void want(bool condition)
{
	if (!condition)
		abort();
}

static void set(u32 i, u32 j, u8 value)
{
	struct place *p = &model[i][j];
	bool done;
	s64 *slot;

	switch (shape.value_type) {
	case TAP_LONG:
		slot = tap_map_slot_long(c, m, keys_of(i, j));
		done = slot != NULL;
		want(done == appear(p));
		if (done) {
			want(*slot == p->value);
			*slot = p->value = (s8)value;
		}
		break;
	case TAP_STRING_TYPE:
		done = tap_map_set_string(c, m, keys_of(i, j), text_of(texts[value % FIRST]));
		want(done == appear(p));
		if (done)
			p->text = value % FIRST;
		break;
	default:
		host_cpu = value % host_cpus;
		tap_map_add_stat(c, m, keys_of(i, j), (s8)value);
		want(!c->error && appear(p));
		p->value += (s8)value;
		p->count++;
	}
	if (c->error)
		c = host_context();
}

static void get(u32 i, u32 j)
{
	const struct place *p = &model[i][j];
	const struct tap_stat *s;
	char *scratch = c->scratch;

	want(tap_map_has(m, keys_of(i, j)) == p->there);
	if (shape.value_type == TAP_LONG) {
		s64 *n = tap_map_find_long(m, keys_of(i, j));

		want(!!n == p->there && (!n || *n == p->value));
	} else if (shape.value_type == TAP_STRING_TYPE) {
		want(tap_string_equal(tap_map_get_string(m, keys_of(i, j)), text_of(texts[p->text])));
	} else {
		s = tap_map_read_stat(c, m, keys_of(i, j));
		want(!!s == p->there && (!s || (s->count == p->count && s->sum == p->value)));
	}
	c->scratch = scratch;
}

static void delete_slice(u32 i, u32 j, u32 wild)
{
	u32 a, b;

	tap_map_delete_slice(c, m, keys_of(i, j), wild);
	for (a = 0; a < FIRST; a++)
		for (b = 0; b < SECOND; b++)
			if ((wild & 1 || a == i) && (wild & 2 || b == j))
				forget(&model[a][b]);
}

/* An open foreach returns existing elements, each of them once. */
static struct loop {
	struct tap_iterator *it;
	bool given[FIRST][SECOND];
	u64 age;
} loops[OPEN];

static void open_loop(struct loop *l, u8 how)
{
	static const union tap_value *keys;
	struct tap_order order = {
		.sort_key = (s16)(how % 4 - 1), .direction = (s8)(how / 4 % 3 - 1), .op = TAP_SUM,
	};

	if (l->it)
		tap_foreach_end(c, l->it);
	memset(l, 0, sizeof(*l));
	l->age = age;
	l->it = tap_foreach(c, m, order, how & 0x80 ? how / 12 % 5 : -1, keys, 3);
	want(l->it && !c->error);
}

static void next_loop(struct loop *l)
{
	struct tap_string s;
	u32 i, j;

	if (!l->it)
		return;
	if (!tap_foreach_next(c, l->it)) {
		tap_foreach_end(c, l->it);
		l->it = NULL;
		return;
	}
	if (shape.key_types[0] == TAP_LONG) {
		i = (u32)(tap_foreach_key_long(l->it, 0) + 3);
	} else {
		s = tap_foreach_key_string(l->it, 0);
		for (i = 0; i < FIRST && !tap_string_equal(s, text_of(texts[i])); i++)
			;
	}
	if (shape.key_types[1] == TAP_LONG) {
		j = (u32)(tap_foreach_key_long(l->it, 1) >> 40);
	} else {
		s = tap_foreach_key_string(l->it, 1);
		for (j = 0; j < SECOND && !tap_string_equal(s, text_of(texts[j + 6])); j++)
			;
	}
	want(i < FIRST && j < SECOND && model[i][j].there);
	if (shape.value_type == TAP_STATS)
		return;			/* another CPU's copy may make an element appear again */
	want(!l->given[i][j] && model[i][j].age <= l->age);
	l->given[i][j] = true;
	if (shape.value_type == TAP_LONG)
		want(tap_foreach_long(l->it) == model[i][j].value);
	else
		want(tap_string_equal(tap_foreach_string(l->it), text_of(texts[model[i][j].text])));
}

static void open_map(const uint8_t *data)
{
	memset(model, 0, sizeof(model));
	memset(loops, 0, sizeof(loops));
	count = 0;
	age = 0;
	host_cpu = 0;
	host_cpus = 1 + data[1] % 3;
	c = host_context();
	tap_stat_shape_finish(&stat_shape);
	shape = (struct tap_map_shape){
		.name = "fuzz", .key_count = 2, .value_type = (u8)(1 + data[0] % 3), .iterators = OPEN,
		.key_types = { data[0] & 8 ? TAP_LONG : TAP_STRING_TYPE, data[0] & 16 ? TAP_LONG : TAP_STRING_TYPE },
		.size = 1 + data[2] % (FIRST * SECOND), .wrap = data[0] >> 5 & 1, .stat = &stat_shape,
	};
	if (shape.value_type == TAP_STATS) {	/* each CPU has its own limit and wrap */
		shape.size = FIRST * SECOND;
		shape.wrap = false;
	}
	m = tap_map_open(&shape, host_limits, data[3]);
	want(m != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u32 at, i, j;

	if (size < 4)
		return 0;
	open_map(data);
	for (at = 4; at + 3 <= size; at += 3) {
		i = data[at + 1] % FIRST;
		j = data[at + 1] / FIRST % SECOND;
		switch (data[at] % 8) {
		case 0: case 1: set(i, j, data[at + 2]); break;
		case 2: get(i, j); break;
		case 3: tap_map_delete(m, keys_of(i, j)); forget(&model[i][j]); break;
		case 4: delete_slice(i, j, data[at + 2] % 4); break;
		case 5: open_loop(&loops[data[at + 1] % OPEN], data[at + 2]); break;
		case 6: next_loop(&loops[data[at + 1] % OPEN]); break;
		default:
			if (data[at + 2] < 16) {
				tap_map_clear(m);
				for (i = 0; i < FIRST * SECOND; i++)
					forget(&model[0][0] + i);
			}
			if (shape.value_type != TAP_STATS)
				want(tap_map_count(m) == count);
		}
	}
	for (i = 0; i < OPEN; i++)
		if (loops[i].it)
			tap_foreach_end(c, loops[i].it);
	for (i = 0; i < FIRST; i++)
		for (j = 0; j < SECOND; j++)
			get(i, j);
	tap_map_close(m);
	want(!c->error && !host_allocations);
	return 0;
}
