/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares arrays with a list that is searched linearly: random inserts, deletes, slices,
 * clears, wrap, and foreach in every order, with limits, nested and with deletes inside. */
#include <pthread.h>
#include "core-test.h"
#include "core/map.h"
#include "core/stat.h"
#include "core/table.h"
#include "core/map_size.h"

enum { MOST_ENTRIES = 400, MOST_TEXT = 120, KEYS = 3 };

struct model_entry {
	s64 n[KEYS];
	char text[KEYS][MOST_TEXT + 1];
	s64 value;
	char value_text[MOST_TEXT + 1];
	s64 count, sum, min, max;
};

static struct model_entry model[MOST_ENTRIES];	/* by age */
static u32 model_count;
static struct tap_map_shape shape;
static struct tap_stat_shape stat_shape = { .hist_count = 1, .hists = { { .op = TAP_HIST_LOG } } };
static struct tap_map *m;
static struct tap_context *c;
static u32 few;			/* number of different keys */

/* ---- keys ---- */

static void random_key(struct model_entry *e)
{
	u32 i;

	for (i = 0; i < shape.key_count; i++) {
		u64 r = random_below(few);

		if (shape.key_types[i] == TAP_LONG) {
			e->n[i] = (s64)(r * (r % 3 ? 1 : 0x123456789abcdefull));
		} else {
			u32 size = (u32)(r * 7919 % (r % 4 ? 20 : MOST_TEXT)), j;

			for (j = 0; j < size; j++)
				e->text[i][j] = (char)('a' + (r + j / 3 * (r % 5)) % 26);
			e->text[i][size] = 0;
			if (size > 3)
				sprintf(e->text[i] + size - 3, "%03u", (u32)r % 1000);
		}
	}
}

/* Exactly as long as needed, so that ASan detects reads beyond the end. */
static char *placed[8];
static struct tap_string place(u32 i, const char *text)
{
	u32 size = (u32)strlen(text);

	free(placed[i]);
	placed[i] = malloc(size + 1);
	memcpy(placed[i], text, size + 1);
	return (struct tap_string){ placed[i], size };
}

static const union tap_value *keys_of(const struct model_entry *e)
{
	static union tap_value keys[KEYS];
	u32 i;

	for (i = 0; i < shape.key_count; i++) {
		if (shape.key_types[i] == TAP_LONG)
			keys[i].n = e->n[i];
		else
			keys[i].s = place(i, e->text[i]);
	}
	return keys;
}

static bool fits(const struct model_entry *a, const struct model_entry *b, u32 wild)
{
	u32 i;

	for (i = 0; i < shape.key_count; i++) {
		if (wild >> i & 1)
			continue;
		if (shape.key_types[i] == TAP_LONG ? a->n[i] != b->n[i] : strcmp(a->text[i], b->text[i]) != 0)
			return false;
	}
	return true;
}

static struct model_entry *model_find(const struct model_entry *e)
{
	u32 i;

	for (i = 0; i < model_count; i++)
		if (fits(&model[i], e, 0))
			return &model[i];
	return NULL;
}

static void model_remove(struct model_entry *e)
{
	memmove(e, e + 1, (size_t)((char *)&model[--model_count] - (char *)e));
}

static struct model_entry *model_insert(const struct model_entry *e)
{
	if (model_count == shape.size) {
		if (!shape.wrap)
			return NULL;
		model_remove(&model[0]);
	}
	model[model_count] = *e;
	return &model[model_count++];
}

/* ---- one operation each ---- */

static void check_full(bool wanted)
{
	CHECK(!!c->error == wanted);
	c = host_context();
}

/* Half of the time with the function for one key. */
static void add_stat(const union tap_value *keys, s64 value)
{
	if (shape.key_count > 1 || random_below(2))
		tap_map_add_stat(c, m, keys, value);
	else if (shape.key_types[0] == TAP_LONG)
		tap_map_add_stat_number(c, m, keys->n, value);
	else
		tap_map_add_stat_text(c, m, keys->s, value);
}

static void set(void)
{
	struct model_entry e = { .value = random_long() };
	struct model_entry *found;

	random_key(&e);
	found = model_find(&e);
	if (shape.value_type == TAP_LONG) {
		s64 *slot = tap_map_slot_long(c, m, keys_of(&e));

		CHECK(!!slot == (found || shape.wrap || model_count < shape.size));
		check_full(!slot);
		if (!slot)
			return;
		CHECK_LONG(*slot, found ? found->value : 0);
		*slot = e.value;
		(found ? found : model_insert(&e))->value = e.value;
	} else if (shape.value_type == TAP_STRING_TYPE) {
		u32 size = (u32)random_below(random_below(2) ? 20 : MOST_TEXT), i;
		bool done;

		for (i = 0; i < size; i++)
			e.value_text[i] = (char)('A' + random_below(26));
		done = tap_map_set_string(c, m, keys_of(&e), place(7, e.value_text));
		CHECK(done == (found || shape.wrap || model_count < shape.size));
		check_full(!done);
		if (!done)
			return;
		strcpy((found ? found : model_insert(&e))->value_text, e.value_text);
	} else {
		s64 v = (s64)random_below(1000) - 300;

		host_cpu = (u32)random_below(host_cpus);
		add_stat(keys_of(&e), v);
		check_full(!found && !shape.wrap && model_count == shape.size && c->error);
		if (!found && model_count < shape.size)
			found = model_insert(&e);
		if (!found)
			return;
		found->min = !found->count || v < found->min ? v : found->min;
		found->max = !found->count || v > found->max ? v : found->max;
		found->count++;
		found->sum += v;
	}
}

static void check_value(const struct model_entry *e)
{
	const struct tap_stat *s;

	switch (shape.value_type) {
	case TAP_LONG:
		CHECK(tap_map_find_long(m, keys_of(e)) != NULL);
		CHECK_LONG(*tap_map_find_long(m, keys_of(e)), e->value);
		break;
	case TAP_STRING_TYPE:
		CHECK_TEXT(tap_map_get_string(m, keys_of(e)), e->value_text);
		break;
	default:
		s = tap_map_read_stat(c, m, keys_of(e));
		CHECK(s != NULL);
		if (!s)
			return;
		CHECK_LONG(s->count, e->count);
		CHECK_LONG(s->sum, e->sum);
		CHECK_LONG(s->min, e->min);
		CHECK_LONG(s->max, e->max);
		c = host_context();
	}
}

static void get(void)
{
	struct model_entry e = { 0 }, *found;

	random_key(&e);
	found = model_find(&e);
	CHECK(tap_map_has(m, keys_of(&e)) == (found != NULL));
	if (found)
		check_value(found);
	else if (shape.value_type == TAP_LONG)
		CHECK(!tap_map_find_long(m, keys_of(&e)));
	else if (shape.value_type == TAP_STRING_TYPE)
		CHECK_TEXT(tap_map_get_string(m, keys_of(&e)), "");
	else
		CHECK(!tap_map_read_stat(c, m, keys_of(&e)) && !c->error);
}

static void delete(void)
{
	struct model_entry e = { 0 }, *found;

	random_key(&e);
	found = model_find(&e);
	if (shape.value_type == TAP_LONG && found && random_below(2))
		tap_map_delete_found(m, tap_map_find_long(m, keys_of(&e)));
	else
		tap_map_delete(m, keys_of(&e));
	if (found)
		model_remove(found);
}

static void slice(bool deleting)
{
	u32 wild = (u32)random_below(1u << shape.key_count), i;
	struct model_entry e = { 0 };
	bool found = false;

	random_key(&e);
	for (i = 0; i < model_count; i++)
		found |= fits(&model[i], &e, wild);
	CHECK(tap_map_has_slice(c, m, keys_of(&e), wild) == found);
	if (!deleting)
		return;
	tap_map_delete_slice(c, m, keys_of(&e), wild);
	for (i = model_count; i--; )
		if (fits(&model[i], &e, wild))
			model_remove(&model[i]);
}

/* ---- foreach ---- */

static struct tap_order order;

static int model_order(const struct model_entry *a, const struct model_entry *b)
{
	s64 x = 0, y = 0;
	int d = order.direction;

	if (order.sort_key > 0 && shape.key_types[order.sort_key - 1] == TAP_STRING_TYPE)
		return d * strcmp(a->text[order.sort_key - 1], b->text[order.sort_key - 1]);
	if (order.sort_key > 0) {
		x = a->n[order.sort_key - 1];
		y = b->n[order.sort_key - 1];
	} else if (shape.value_type == TAP_STRING_TYPE) {
		return d * strcmp(a->value_text, b->value_text);
	} else if (shape.value_type == TAP_LONG) {
		x = a->value;
		y = b->value;
	} else {
		switch (order.op) {
		case TAP_COUNT: x = a->count; y = b->count; break;
		case TAP_SUM: x = a->sum; y = b->sum; break;
		case TAP_MIN: x = a->min; y = b->min; break;
		case TAP_MAX: x = a->max; y = b->max; break;
		default: x = a->sum / a->count; y = b->sum / b->count; break;
		}
	}
	return d * (x < y ? -1 : x > y);
}

/* The elements that a foreach should return, in order. */
static struct model_entry *wanted[MOST_ENTRIES];
static u32 wanted_count;

static void choose(const struct model_entry *key, u32 wild)
{
	u32 i, j;

	wanted_count = 0;
	for (i = 0; i < model_count; i++) {
		struct model_entry *e = &model[i];

		if (!fits(e, key, wild))
			continue;
		for (j = wanted_count; j > 0 && order.direction && order.sort_key >= 0 &&
		     model_order(wanted[j - 1], e) > 0; j--)
			wanted[j] = wanted[j - 1];
		wanted[j] = e;
		wanted_count++;
	}
}

static void read_keys(struct tap_iterator *it, struct model_entry *e)
{
	u32 i;

	for (i = 0; i < shape.key_count; i++) {
		if (shape.key_types[i] == TAP_LONG) {
			e->n[i] = tap_foreach_key_long(it, i);
		} else {
			struct tap_string s = tap_foreach_key_string(it, i);

			memcpy(e->text[i], s.data, s.size + 1);
		}
	}
}

static void check_element(struct tap_iterator *it, const struct model_entry *e)
{
	const struct tap_stat *s;

	switch (shape.value_type) {
	case TAP_LONG:
		CHECK_LONG(tap_foreach_long(it), e->value);
		break;
	case TAP_STRING_TYPE:
		CHECK_TEXT(tap_foreach_string(it), e->value_text);
		break;
	default:
		s = tap_foreach_stat(c, it);
		CHECK(s && s->count == e->count && s->sum == e->sum);
		c = host_context();
	}
}

static void foreach(u32 depth)
{
	static const u8 ops[] = { TAP_COUNT, TAP_SUM, TAP_MIN, TAP_MAX, TAP_AVG };
	u32 wild = random_below(3) ? (1u << shape.key_count) - 1 : (u32)random_below(1u << shape.key_count);
	s64 limit = random_below(2) ? -1 : (s64)random_below(shape.size + 3);
	struct model_entry key = { 0 }, e = { 0 };
	struct model_entry *list[MOST_ENTRIES];
	union tap_value keys[KEYS];
	char *texts[KEYS];
	struct tap_iterator *it;
	u32 i, n, seen = 0;
	bool loose;

	order.direction = (s8)((s32)random_below(3) - 1);
	order.sort_key = (s16)((s32)random_below(shape.key_count + 2) - 1);
	order.op = ops[random_below(5)];
	loose = shape.value_type == TAP_STATS;	/* equal ones are ordered by CPU, and so are unsorted ones */
	random_key(&key);
	choose(&key, wild);
	memcpy(list, wanted, sizeof(list));
	n = limit < 0 || limit > wanted_count ? wanted_count : (u32)limit;
	memcpy(keys, keys_of(&key), sizeof(keys));
	for (i = 0; i < shape.key_count; i++)
		if (shape.key_types[i] == TAP_STRING_TYPE)
			keys[i].s.data = texts[i] = strdup(key.text[i]);
	it = tap_foreach(c, m, order, limit, keys, wild);
	CHECK(it && !c->error);
	while (it && tap_foreach_next(c, it)) {
		struct model_entry *found;

		read_keys(it, &e);
		found = model_find(&e);
		if (!found || seen >= n) {
			fail(__FILE__, __LINE__, "foreach gives an element too many");
			break;
		}
		if (!loose && found != list[seen])
			fail(__FILE__, __LINE__, "element %u of %u is the wrong one", seen, n);
		if (loose && order.direction && order.sort_key >= 0 && model_order(found, list[seen]))
			fail(__FILE__, __LINE__, "element %u of %u is out of order", seen, n);
		if (!fits(found, &key, wild))
			fail(__FILE__, __LINE__, "element %u is not in the slice", seen);
		check_element(it, found);
		seen++;
		if (depth && !random_below(20)) {
			struct tap_order kept = order;

			foreach(depth - 1);
			order = kept;
		}
	}
	CHECK_LONG(seen, n);
	if (it)
		tap_foreach_end(c, it);
	for (i = 0; i < shape.key_count; i++)
		if (shape.key_types[i] == TAP_STRING_TYPE)
			free(texts[i]);
	c = host_context();
}

/* Deletes at random inside the loop: remaining elements are returned once, deleted ones never. */
static void foreach_deleting(void)
{
	u32 wild = (1u << shape.key_count) - 1, seen = 0, deleted_unseen = 0, before = model_count;
	struct tap_order by = { .sort_key = random_below(2) ? 1 : -1, .direction = random_below(2) ? 1 : -1 };
	static bool given[MOST_ENTRIES];
	struct model_entry e = { 0 };
	struct tap_iterator *it = tap_foreach(c, m, by, -1, NULL, wild);

	memset(given, 0, sizeof(given));
	CHECK(it != NULL);
	while (it && tap_foreach_next(c, it)) {
		struct model_entry *found;
		u32 round;

		read_keys(it, &e);
		found = model_find(&e);
		CHECK(found != NULL);
		if (!found)
			break;
		CHECK(!given[found - model]);
		given[found - model] = true;
		seen++;
		for (round = 0; round < 3 && model_count; round++) {
			u32 gone = random_below(3) ? (u32)random_below(model_count) : (u32)(found - model);

			if (gone >= model_count || !random_below(4))
				continue;
			deleted_unseen += !given[gone];
			tap_map_delete(m, keys_of(&model[gone]));
			model_remove(&model[gone]);
			memmove(given + gone, given + gone + 1, MOST_ENTRIES - 1 - gone);
			found = &model[0];
		}
		if (!random_below(300)) {
			u32 i;

			for (i = 0; i < model_count; i++)
				deleted_unseen += !given[i];
			tap_map_clear(m);
			model_count = 0;
		}
	}
	CHECK_LONG(seen + deleted_unseen, before);
	if (it)
		tap_foreach_end(c, it);
}

/* Inserts inside a live loop: the loop still ends. */
static void foreach_inserting(void)
{
	u32 wild = (1u << shape.key_count) - 1, seen = 0, before = model_count;
	struct tap_order by = { .sort_key = -1 };
	struct tap_iterator *it;

	if (shape.wrap || shape.value_type == TAP_STATS)
		return;
	it = tap_foreach(c, m, by, -1, NULL, wild);
	while (it && tap_foreach_next(c, it)) {
		seen++;
		set();
	}
	CHECK_LONG(seen, before);
	if (it)
		tap_foreach_end(c, it);
}

/* ---- all together ---- */

static void check_all(void)
{
	u32 i;

	if (shape.value_type != TAP_STATS)
		CHECK_LONG(tap_map_count(m), model_count);
	for (i = 0; i < model_count; i++)
		check_value(&model[i]);
}

static void try_shape(u32 rounds)
{
	u32 i;

	model_count = 0;
	memset(model, 0, sizeof(model));
	m = tap_map_open(&shape, host_limits, random_next());
	CHECK(m != NULL);
	if (!m)
		return;
	CHECK_LONG(tap_map_size(&shape, host_limits, host_cpus, host_cpus), tap_map_memory(m));
	for (i = 0; i < rounds && !failures; i++) {
		switch (random_below(40)) {
		case 0: slice(false); break;
		case 1: slice(!random_below(3)); break;
		case 2: foreach(2); break;
		case 3: if (!random_below(4)) foreach_deleting(); break;
		case 4: if (!random_below(20)) { tap_map_clear(m); model_count = 0; } break;
		case 5: check_all(); break;
		case 6: foreach_inserting(); break;
		case 7 ... 12: delete(); break;
		case 13 ... 20: get(); break;
		default: set();
		}
	}
	tap_map_close(m);
}

static void random_shapes(void)
{
	u32 round, i;

	for (round = 0; round < 150 && !failures; round++) {
		memset(&shape, 0, sizeof(shape));
		shape.name = "test";
		shape.key_count = (u8)(random_below(KEYS) + 1);
		for (i = 0; i < shape.key_count; i++)
			shape.key_types[i] = random_below(2) ? TAP_LONG : TAP_STRING_TYPE;
		shape.value_type = (u8)(random_below(3) + 1);
		shape.stat = &stat_shape;
		shape.size = (u32)random_below(random_below(2) ? 8 : 300) + 1;
		/* Each CPU decides which entries are dropped: the model only has one CPU. */
		shape.wrap = shape.value_type != TAP_STATS && random_below(2);
		shape.iterators = 3;
		few = 1 + (u32)random_below(shape.key_count == 1 ? shape.size * 2 : 16);
		if (shape.value_type == TAP_STATS && shape.key_count == 1 && few > shape.size)
			few = shape.size;	/* nor whether one CPU's table still has room */
		if (shape.value_type == TAP_STATS && shape.key_count > 1) {
			shape.size = 300;
			few = shape.key_count == 2 ? 16 : 6;
		}
		host_cpus = (u32)random_below(5) + 1;
		host_cpu = 0;
		try_shape(4000);
	}
	host_cpus = 4;
	host_cpu = 0;
}

/* ---- individual cases ---- */

static void open_simple(u8 key, u8 value, u32 size, bool wrap)
{
	memset(&shape, 0, sizeof(shape));
	shape = (struct tap_map_shape){ .name = "simple", .key_count = 1, .key_types = { key },
		.value_type = value, .size = size, .wrap = wrap, .iterators = 1, .stat = &stat_shape };
	m = tap_map_open(&shape, host_limits, 42);
}

static void memory(void)
{
	u64 stat;

	open_simple(TAP_LONG, TAP_LONG, 100000, false);
	shape.iterators = 0;
	tap_map_close(m);
	m = tap_map_open(&shape, host_limits, 1);
	CHECK(tap_map_memory(m) <= 100000 * 48ull);
	tap_map_close(m);
	open_simple(TAP_LONG, TAP_STATS, 2000, false);
	stat = tap_stat_size(&stat_shape);
	CHECK(tap_map_memory(m) <= 4 * 2000 * (stat + 40) + 2000 * 16 + 4096);
	tap_map_close(m);
	host_offline = 0xc;		/* CPUs 2 and 3 go online later */
	open_simple(TAP_LONG, TAP_STATS, 2000, false);
	CHECK(tap_map_memory(m) <= 2 * 2000 * (stat + 40) + 2000 * 16 + 4096);
	host_cpu = 3;
	host_skipped = 0;
	tap_map_add_stat(c, m, (union tap_value[]){ { 5 } }, 1);
	CHECK_LONG(host_skipped, 1);
	CHECK_LONG(tap_map_size(&shape, host_limits, 4, 2), tap_map_memory(m));
	CHECK(tap_map_open_cpu(m, 3) && tap_map_open_cpu(m, 3) && !tap_map_open_cpu(m, 4));
	CHECK_LONG(tap_map_size(&shape, host_limits, 4, 3), tap_map_memory(m));
	tap_map_add_stat(c, m, (union tap_value[]){ { 5 } }, 1);
	CHECK_LONG(host_skipped, 1);
	CHECK(tap_map_has(m, (union tap_value[]){ { 5 } }));
	tap_map_close(m);
	host_offline = 0;
	host_cpu = 0;
}

/* Values and keys stored in the array itself, during an update that moves or drops them. */
static void aliasing(void)
{
	char long_text[] = "a text that is longer than fifteen bytes";
	union tap_value key = { 0 }, other;
	struct tap_string s;
	u32 i;

	open_simple(TAP_LONG, TAP_STRING_TYPE, 2, true);
	for (i = 0; i < 3; i++) {
		key.n = i;
		CHECK(tap_map_set_string(c, m, &key, text_of(long_text)));
	}
	key.n = 1;			/* the oldest: dropped for 7 */
	s = tap_map_get_string(m, &key);
	other.n = 7;
	CHECK(tap_map_set_string(c, m, &other, s));
	CHECK_TEXT(tap_map_get_string(m, &other), long_text);
	s = tap_map_get_string(m, &other);
	CHECK(tap_map_set_string(c, m, &other, (struct tap_string){ s.data + 30, s.size - 30 }));
	CHECK_TEXT(tap_map_get_string(m, &other), long_text + 30);
	CHECK(tap_map_set_string(c, m, &other, text_of(long_text)));
	s = tap_map_get_string(m, &other);
	CHECK(tap_map_set_string(c, m, &other, (struct tap_string){ s.data + 2, s.size - 2 }));
	CHECK_TEXT(tap_map_get_string(m, &other), long_text + 2);
	tap_map_close(m);

	open_simple(TAP_STRING_TYPE, TAP_STRING_TYPE, 2, true);
	key.s = text_of(long_text);
	tap_map_set_string(c, m, &key, text_of("v"));
	{
		struct tap_iterator *it = tap_foreach(c, m, (struct tap_order){ .sort_key = -1 }, -1, NULL, 1);

		CHECK(tap_foreach_next(c, it));
		other.s = tap_foreach_key_string(it, 0);
		other.s.data += 3;
		other.s.size -= 3;
		tap_foreach_end(c, it);
	}
	key.s = text_of("x");
	tap_map_set_string(c, m, &key, text_of("v"));
	CHECK(tap_map_set_string(c, m, &other, text_of("w")));	/* drops what other.s points into */
	other.s = text_of(long_text + 3);
	CHECK_TEXT(tap_map_get_string(m, &other), "w");
	CHECK_LONG(tap_map_count(m), 2);
	tap_map_close(m);
	CHECK(!c->error);
}

/* The store of long strings fills up: an error, or with wrap the oldest entries are dropped; freed space can be
 * used again. */
static void stores(void)
{
	static char text[512];
	union tap_value key;
	u32 i, full = 0, round;

	for (round = 0; round < 2; round++) {
		open_simple(TAP_STRING_TYPE, TAP_LONG, 20000, round);
		for (i = 0; i < 20000; i++) {
			memset(text, 'x', 500);
			full = (u32)sprintf(text, "%u", i);
			text[full] = 'y';
			key.s = (struct tap_string){ text, 500 };
			if (!tap_map_slot_long(c, m, &key))
				break;
		}
		full = i;
		if (round) {
			CHECK_LONG(i, 20000);
			CHECK(tap_map_count(m) > 2000 && tap_map_count(m) < 5000);
			tap_map_close(m);
			break;
		}
		CHECK(i > 2000 && i < 5000 && c->error && strstr(c->error, "long strings"));
		c = host_context();
		tap_map_clear(m);
		for (i = 0; i < full; i++) {
			sprintf(text, "%u", i);
			text[strlen(text)] = 'y';
			CHECK(tap_map_slot_long(c, m, &key) != NULL);
		}
		tap_map_delete_slice(c, m, &key, 1);
		CHECK_LONG(tap_map_count(m), 0);
		for (i = 0; i < full; i++) {
			sprintf(text, "%u", i);
			text[strlen(text)] = 'z';
			CHECK(tap_map_slot_long(c, m, &key) != NULL);
		}
		tap_map_close(m);
	}
}

/* A small array has room for the longest text in each element, whatever the lengths of earlier ones. */
static void growing(void)
{
	static char text[512];
	struct tap_string s = { text, 0 };
	union tap_value key;
	u32 size;

	memset(text, 'x', sizeof(text));
	for (size = 1; size <= 40; size += 13) {
		open_simple(TAP_LONG, TAP_STRING_TYPE, size, false);
		for (u32 i = 0; i < 5000; i++) {
			key.n = random_below(size);
			s.size = random_below(sizeof(text));
			CHECK(tap_map_set_string(c, m, &key, s));
		}
		s.size = 1;
		for (key.n = 0; key.n < size; key.n++)
			CHECK(tap_map_set_string(c, m, &key, s));
		key.n = size;
		CHECK(!tap_map_set_string(c, m, &key, s) && c->error && strstr(c->error, "is full"));
		c = host_context();
		tap_map_close(m);
	}
}

/* A loop without a limit over 3 of 4 elements, of which the key of the first one is FIRST. */
static void left_out(struct tap_order order, s64 first)
{
	struct tap_iterator *it;
	int n = 0;

	host_printed[0] = 0;
	it = tap_foreach(c, m, order, -1, NULL, 1);
	CHECK(!c->error && !strcmp(host_printed, "a loop over array 'simple' leaves out elements: "
					       "it has more than 3 on all CPUs together"));
	while (it && tap_foreach_next(c, it))
		CHECK(n++ || tap_foreach_key_long(it, 0) == first);
	CHECK_LONG(n, 3);
	tap_foreach_end(c, it);
}

static void full(void)
{
	union tap_value key;

	open_simple(TAP_LONG, TAP_LONG, 3, false);
	for (key.n = 0; key.n < 3; key.n++)
		CHECK(tap_map_slot_long(c, m, &key));
	CHECK(!tap_map_slot_long(c, m, &key));
	CHECK(c->error && !strcmp(c->error, "array 'simple' is full: it has 3 elements, see MAXMAPENTRIES"));
	c = host_context();
	tap_map_close(m);

	open_simple(TAP_LONG, TAP_STATS, 3, false);	/* more than fit in one list */
	for (host_cpu = 0; host_cpu < 4; host_cpu++) {
		key.n = host_cpu;
		tap_map_add_stat(c, m, &key, 1);
	}
	host_cpu = 0;
	left_out((struct tap_order){ .sort_key = -1 }, 0);
	left_out((struct tap_order){ .sort_key = 1, .direction = 1 }, 0);
	left_out((struct tap_order){ .sort_key = 1, .direction = -1 }, 3);
	{
		struct tap_iterator *it = tap_foreach(c, m,
			(struct tap_order){ .sort_key = 1, .direction = -1 }, 2, NULL, 1);

		CHECK(it && tap_foreach_next(c, it) && tap_foreach_key_long(it, 0) == 3);
		CHECK(it && tap_foreach_next(c, it) && tap_foreach_key_long(it, 0) == 2);
		CHECK(it && !tap_foreach_next(c, it));
		CHECK(!tap_foreach(c, m, (struct tap_order){ .sort_key = 1, .direction = 1 }, -1, NULL, 1));
		CHECK(c->error && !strcmp(c->error, "too many concurrent foreach loops over 'simple'"));
		tap_foreach_end(c, it);
	}
	c = host_context();
	tap_map_close(m);
}

/* A handler that must end: foreach and sort stop, and release everything. */
static void stopping(void)
{
	union tap_value key;
	u32 i;

	open_simple(TAP_LONG, TAP_LONG, 20000, false);
	for (key.n = 0; key.n < 20000; key.n++)
		*tap_map_slot_long(c, m, &key) = (s64)random_below(1000);
	for (i = 0; i < 400; i += 7) {
		struct tap_iterator *it;

		host_stop_after = i;
		it = tap_foreach(c, m, (struct tap_order){ .direction = 1 }, -1, NULL, 1);
		CHECK(!!it == !c->error);
		if (it)
			tap_foreach_end(c, it);
		c = host_context();
	}
	host_stop_after = -1;
	host_steps = 0;
	tap_foreach_end(c, tap_foreach(c, m, (struct tap_order){ .direction = -1 }, 10, NULL, 1));
	CHECK(host_steps >= 20 && host_steps < 25);	/* one pass */
	tap_map_close(m);
}

/* An NMI during an update of its CPU's table, and a CPU that never releases a table: updates are dropped and
 * counted, nothing hangs. */
static void busy(void)
{
	union tap_value key = { 1 };

	open_simple(TAP_LONG, TAP_STATS, 10, false);
	tap_map_add_stat(c, m, &key, 1);
	host_skipped = 0;
	m->tables[0]->lock = 1;			/* CPU 0 itself */
	tap_map_add_stat(c, m, &key, 1);
	CHECK_LONG(host_skipped, 1);
	CHECK(!tap_map_has(m, &key));
	tap_map_delete(m, &key);
	tap_map_clear(m);
	CHECK(!tap_map_has_slice(c, m, &key, 0) && !tap_map_read_stat(c, m, &key));
	CHECK_LONG(host_skipped, 6);
	m->tables[0]->lock = 4;			/* CPU 3, which never releases it */
	tap_map_add_stat(c, m, &key, 1);
	CHECK_LONG(host_skipped, 7);
	tap_map_add_stat_number(c, m, 1, 1);
	CHECK_LONG(host_skipped, 8);
	m->tables[0]->lock = 0;
	tap_map_add_stat_number(c, m, 1, 1);
	CHECK_LONG(host_skipped, 8);
	CHECK_LONG(tap_map_read_stat(c, m, &key)->count, 2);
	tap_map_close(m);
	c = host_context();
}

/* CPUs add at full speed while another one reads, loops and deletes: every sample counts once. */
enum { SAMPLES = 30000, KEPT = 40, ALL = 60 };

static void key_text(char *text, u32 i)
{
	sprintf(text, i % 2 ? "%u" : "a long text with a number in it: %u", i);
}

static void *adding(void *cpu)
{
	static struct tap_context contexts[4];
	u64 state = (u64)(unsigned long)cpu + 99;
	union tap_value key;
	char text[64];
	u32 i;

	host_cpu = (u32)(unsigned long)cpu;
	for (i = 0; i < SAMPLES; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		key_text(text, i < ALL ? i : (u32)(state >> 33) % ALL);
		key.s = text_of(text);
		tap_map_add_stat_text(&contexts[host_cpu], m, key.s, 1);
	}
	return NULL;
}

static u64 read_all(s8 direction)
{
	struct tap_order by = { .direction = direction, .op = TAP_COUNT };
	struct tap_iterator *it = tap_foreach(c, m, by, -1, NULL, 1);
	const struct tap_stat *s;
	u64 sum = 0;

	while (it && tap_foreach_next(c, it)) {
		CHECK(tap_foreach_key_string(it, 0).size < 40);
		s = tap_foreach_stat(c, it);
		sum += s ? (u64)s->count : 0;
		c->scratch = host_context()->scratch;
	}
	if (it)
		tap_foreach_end(c, it);
	CHECK(it && !c->error);
	return sum;
}

static void threads(void)
{
	pthread_t thread[4];
	union tap_value key;
	char text[64];
	u64 sum = 0;
	u32 i, round;

	open_simple(TAP_STRING_TYPE, TAP_STATS, 100, false);
	host_skipped = 0;
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, adding, (void *)(unsigned long)i);
	host_cpu = 5;			/* it has no table */
	for (round = 0; round < 60; round++) {
		read_all(round % 2 ? 1 : -1);
		key_text(text, KEPT + round % (ALL - KEPT));
		key.s = text_of(text);
		tap_map_delete(m, &key);
	}
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	sum = read_all(1);
	CHECK(sum + host_skipped <= 4 * SAMPLES);
	for (i = KEPT; i < ALL; i++) {
		key_text(text, i);
		key.s = text_of(text);
		tap_map_delete(m, &key);
	}
	sum = read_all(1);
	CHECK(tap_map_count(m) == KEPT);
	/* The sum of what four such threads add to the keys that were never deleted. */
	for (i = 0; i < 4; i++) {
		u64 state = i + 99;

		for (round = 0; round < SAMPLES; round++) {
			state = state * 6364136223846793005ull + 1442695040888963407ull;
			sum -= (round < ALL ? round : (u32)(state >> 33) % ALL) < KEPT;
		}
	}
	CHECK(0 - sum <= host_skipped);
	host_cpu = 0;
	tap_map_close(m);
	c = host_context();
}

static void no_memory(void)
{
	u32 i;

	for (i = 0; i < 12; i++) {
		host_fail_allocation = i;
		open_simple(i % 2 ? TAP_LONG : TAP_STRING_TYPE, i % 3 ? TAP_STATS : TAP_LONG, 10, false);
		CHECK(!m == (host_fail_allocation < 0));
		host_fail_allocation = -1;
		tap_map_close(m);
	}
}

int main(int argc, char **argv)
{
	CHECK(tap_stat_shape_finish(&stat_shape));
	c = host_context();
	random_start(argc > 1 ? (u64)atoi(argv[1]) : 1);
	memory();
	aliasing();
	stores();
	growing();
	full();
	stopping();
	busy();
	threads();
	no_memory();
	random_shapes();
	for (int i = 0; i < 8; i++)
		free(placed[i]);
	return report("core-map");
}
