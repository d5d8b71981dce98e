/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares unlisted arrays with a list that is searched linearly: insertions, deletions, clearing. */
#include "core-test.h"
#include "core/map.h"

enum { MOST = 64, STEPS = 200000 };

static struct tap_map_shape shape = { .name = "simple", .key_count = 1, .key_types = { TAP_LONG },
				      .value_type = TAP_LONG, .unlisted = true };
static struct { s64 key, value; } model[MOST];
static u32 count, keys;			/* number of different keys */
static struct tap_map *m;
static struct tap_context *c;

static u32 find(s64 key)
{
	u32 i = 0;

	while (i < count && model[i].key != key)
		i++;
	return i;
}

/* The array says that it is full, and is as before. */
static void insert_into_full(s64 key)
{
	CHECK(!tap_map_slot_unlisted(c, m, key) && c->error && strstr(c->error, "array 'simple' is full"));
	c->error = NULL;
}

static void insert(s64 key, s64 value)
{
	u32 i = find(key);
	s64 *slot;

	if (i == count && count == shape.size) {
		insert_into_full(key);
		return;
	}
	slot = tap_map_slot_unlisted(c, m, key);
	CHECK(slot && !c->error);
	if (!slot)
		return;
	if (i == count)
		model[count++].key = key;
	CHECK_LONG(*slot, model[i].value);
	*slot = model[i].value = value;
}

static void delete(s64 key)
{
	u32 i = find(key);

	if (i < count && random_below(2))
		tap_map_delete_found_unlisted(m, tap_map_find_number(m, key));
	else
		tap_map_delete_unlisted(m, key);
	if (i == count)
		return;
	model[i] = model[--count];
	model[count].value = 0;
}

static void clear(void)
{
	tap_map_clear(m);
	memset(model, 0, sizeof(model));
	count = 0;
}

static void check(s64 key)
{
	const s64 *value = tap_map_find_number(m, key);
	union tap_value list = { .n = key };
	u32 i = find(key);

	CHECK((value != NULL) == (i < count));
	CHECK(tap_map_has(m, &list) == (i < count));
	if (value && i < count)
		CHECK_LONG(*value, model[i].value);
	CHECK_LONG(tap_map_count(m), count);
}

static s64 random_key(void) { return (s64)(random_below(keys) * 0x123456789abcdefull); }

static void step(void)
{
	s64 key = random_key();
	u64 what = random_below(100);

	if (what < 50)
		insert(key, random_long());
	else if (what < 98)
		delete(key);
	else if (!random_below(20))
		clear();
	check(key);
	check(random_key());
}

/* An array of SIZE elements, of which at most KEYS are used. */
static void compare(u32 size, u32 most)
{
	shape.size = size;
	keys = most;
	m = tap_map_open(&shape, host_limits, random_next());
	memset(model, 0, sizeof(model));
	count = 0;
	for (u32 n = 0; n < STEPS; n++)
		step();
	tap_map_close(m);
}

int main(void)
{
	c = host_context();
	random_start(1);
	compare(1, 2);
	compare(2, 4);
	compare(7, 20);
	compare(MOST, 2 * MOST);
	compare(2000, 20);		/* few in a large one */
	CHECK_LONG(host_allocations, 0);
	return report("core-unlisted");
}
