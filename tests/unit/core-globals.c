/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals as bytes: what is saved and loaded is saved again as the same bytes; declarations that differ are reported;
 * and damaged bytes, in exactly as much memory as they need, do no harm. */
#include "core-test.h"
#include "core/globals.h"
#include "core/map.h"
#include "core/stat.h"

extern struct tap_script host_script;

s64 tap_counter_read(u32 cell)
{
	return tap_counter_read_cells(host_cells, cell);
}

const struct tap_stat *tap_stat_read(struct tap_context *c, u32 cell, const struct tap_stat_shape *shape)
{
	return tap_stat_read_cells(c, host_cells, cell, shape);
}

static struct tap_stat_shape log_shape = { .variance = true, .hist_count = 1, .hists = { { .op = TAP_HIST_LOG } } };
static struct tap_stat_shape more_shape = {
	.hist_count = 2,
	.hists = { { .op = TAP_HIST_LINEAR, .low = 0, .high = 100, .step = 10 }, { .op = TAP_HIST_LOG } },
};
static struct tap_stat_shape plain_shape;
static const struct tap_map_shape shapes[] = {
	{ .name = "a", .key_count = 1, .key_types = { TAP_STRING_TYPE }, .value_type = TAP_LONG, .size = 50 },
	{ .name = "b", .key_count = 2, .key_types = { TAP_LONG, TAP_STRING_TYPE }, .value_type = TAP_STRING_TYPE,
	  .size = 50 },
	{ .name = "s", .key_count = 1, .key_types = { TAP_STRING_TYPE }, .value_type = TAP_STATS, .size = 50,
	  .stat = &log_shape },
};
static struct tap_map *maps[3];
static s64 n;
static union { struct tap_string_cell cell; char room[sizeof(struct tap_string_cell) + 512]; } text;
enum { COUNTER = 0, STAT = 64, CELL_BYTES = 64 << 10 };

static struct tap_global list[] = {
	{ .name = "n", .type = TAP_LONG, .value = &n, .is_counter = true, .cell = COUNTER },
	{ .name = "text", .type = TAP_STRING_TYPE, .value = &text },
	{ .name = "l", .type = TAP_STATS, .cell = STAT, .stat = &log_shape },
	{ .name = "a", .type = TAP_LONG, .map = &maps[0] },
	{ .name = "b", .type = TAP_STRING_TYPE, .map = &maps[1] },
	{ .name = "s", .type = TAP_STATS, .map = &maps[2] },
};
static const struct tap_globals globals = { .list = list, .count = sizeof(list) / sizeof(*list) };

static int told;
static const char *last_name, *last_why;

static void tell(struct tap_context *c, const char *name, const char *why)
{
	(void)c;
	told++;
	last_name = name;
	last_why = why;
}

static struct tap_context *context(void)
{
	struct tap_context *c = host_context();

	c->cells = host_cells(0);
	return c;
}

static void open_all(void)
{
	n = 0;
	tap_cell_set(&text.cell, TAP_EMPTY);
	for (u32 i = 0; host_cells(i); i++)
		memset(host_cells(i), 0, CELL_BYTES);
	for (u32 i = 0; i < 3; i++)
		maps[i] = tap_map_open(&shapes[i], host_limits, 7);
}

static void close_all(void)
{
	for (u32 i = 0; i < 3; i++)
		tap_map_close(maps[i]);
}

static void fill(void)
{
	char name[80];

	n = 5;
	tap_cell_set(&text.cell, TAP_STRING("some text"));
	for (u32 i = 0; i < 16; i++) {
		*(s64 *)(host_cells(i) + COUNTER) = i;
		tap_stat_add((struct tap_stat *)(host_cells(i) + STAT), &log_shape, i * 3);
	}
	for (u32 i = 0; i < 50; i++) {
		struct tap_context *c = host_context();
		union tap_value keys[2];

		snprintf(name, sizeof(name), "%.*s%u", (int)i, "a key that is longer than an entry has room for",
			 i);
		keys[0].s = text_of(name);
		*tap_map_slot_long(c, maps[0], keys) = i;
		host_cpu = i % 4;
		tap_map_add_stat(c, maps[2], keys, i);
		keys[0].n = i;
		keys[1].s = text_of(name);
		tap_map_set_string(c, maps[1], keys, text_of(name));
		CHECK(!c->error);
	}
	host_cpu = 0;
}

static u8 *save(u64 *size)
{
	struct tap_saving s = { .room = 0 };

	tap_globals_save(host_context(), &s);
	s.room = s.size;
	s.data = malloc(s.size);
	tap_globals_save(host_context(), &s);
	CHECK_LONG((s64)s.size, (s64)s.room);
	*size = s.size;
	return s.data;
}

static void check_again(const u8 *data, u64 size)
{
	u64 again;
	u8 *same;

	open_all();
	told = 0;
	CHECK(tap_globals_load(context(), data, size, tell));
	CHECK_LONG(told, 0);
	CHECK_LONG(n, 5 + 120);
	CHECK_TEXT(tap_cell_get(&text.cell), "some text");
	same = save(&again);
	CHECK(again == size && memcmp(same, data, size) == 0);
	free(same);
	close_all();
}

/* The same with the histogram elsewhere, or without it. */
static void check_shapes(const u8 *data, u64 size)
{
	const struct tap_stat *stat;

	open_all();
	list[2].stat = &plain_shape;
	told = 0;
	CHECK(tap_globals_load(context(), data, size, tell));
	CHECK_LONG(told, 0);
	stat = tap_stat_read(host_context(), STAT, &plain_shape);
	CHECK_LONG(stat->count, 16);
	CHECK_LONG(stat->sum, 360);
	close_all();
	open_all();
	list[2].stat = &more_shape;
	CHECK(tap_globals_load(context(), data, size, tell));
	CHECK(told == 1 && !strcmp(last_name, "l") && !strcmp(last_why, "it did not keep all that is read now"));
	list[2].stat = &log_shape;
	list[1].type = TAP_LONG;
	told = 0;
	CHECK(tap_globals_load(context(), data, size, tell));
	CHECK(told == 1 && !strcmp(last_name, "text") && !strcmp(last_why, "its keys or its value have another type"));
	list[1].type = TAP_STRING_TYPE;
	close_all();
}

/* Twice as many elements as there is room for. */
static void check_full(const u8 *data, u64 size)
{
	struct tap_map_shape small = shapes[0];

	open_all();
	tap_map_close(maps[0]);
	small.size = 20;
	maps[0] = tap_map_open(&small, host_limits, 7);
	told = 0;
	CHECK(tap_globals_load(context(), data, size, tell));
	CHECK(told == 1 && !strcmp(last_name, "a") && !strcmp(last_why, "not all of it fits"));
	CHECK_LONG(tap_map_count(maps[0]), 20);
	close_all();
}

static void check_damage(const u8 *data, u64 size)
{
	for (u32 round = 0; round < 3000; round++) {
		u64 part = random_below(3) ? size : random_below(size + 1) & ~7ull;
		u8 *damaged = malloc(part ? part : 1);

		memcpy(damaged, data, part);
		for (u64 i = random_below(4); part && i; i--) {
			s64 word = random_long();

			if (random_below(2))
				memcpy(damaged + (random_below(part) & ~7ull), &word, sizeof(word));
			else
				damaged[random_below(part)] ^= 1u << random_below(8);
		}
		open_all();
		tap_globals_load(context(), damaged, part, tell);
		close_all();
		free(damaged);
	}
}

int main(void)
{
	u64 size;
	u8 *data;

	host_script.globals = &globals;
	tap_stat_shape_finish(&log_shape);
	tap_stat_shape_finish(&more_shape);
	open_all();
	fill();
	data = save(&size);
	close_all();
	check_again(data, size);
	check_shapes(data, size);
	check_full(data, size);
	check_damage(data, size);
	free(data);
	return report("core-globals");
}
