/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Framing: what was written is found again, and no truncated or altered byte causes an access outside the buffer. */
#include "core-test.h"
#include "core/record.h"

static u8 buffer[4096];
static u64 used;

static void add_record(const u8 *payload, u32 size)
{
	struct tap_record r = { .size = (u32)sizeof(r) + size, .sequence = 1 };

	memset(buffer + used, 0, tap_record_room(r.size));
	memcpy(buffer + used, &r, sizeof(r));
	if (size)
		memcpy(buffer + used + sizeof(r), payload, size);
	used += tap_record_room(r.size);
}

static u32 add_item(u8 *payload, u32 at, u32 format, u32 size)
{
	struct tap_item item = { format, size };

	memcpy(payload + at, &item, sizeof(item));
	memset(payload + at + sizeof(item), 'x', size);
	return at + (u32)sizeof(item) + size;
}

/* Walks records and items until an error; reads every byte that is returned. */
static enum tap_walk walk(const u8 *data, u64 size, u32 *records, u32 *items)
{
	struct tap_record r;
	enum tap_walk w, i;
	const u8 *payload, *body;
	u64 at = 0;
	volatile u8 sum = 0;

	*records = *items = 0;
	while ((w = tap_record_next(data, size, &at, &r, &payload)) == TAP_WALK_OK) {
		struct tap_item item;
		u32 place = 0, j;

		++*records;
		while ((i = tap_item_next(payload, tap_record_payload(&r), &place, 3, &item, &body)) == TAP_WALK_OK) {
			for (j = 0; j < item.size; j++)
				sum += body[j];
			++*items;
		}
		if (i != TAP_WALK_END)
			return i;
	}
	(void)sum;
	CHECK(at <= size);
	return w;
}

static void build(void)
{
	u8 payload[256];
	u32 n;

	used = 0;
	n = add_item(payload, 0, 0, 13);
	n = add_item(payload, n, 2, 0);
	n = add_item(payload, n, TAP_ITEM_WARNING, 5);
	n = add_item(payload, n, TAP_ITEM_EXIT, 0);
	add_record(payload, n);
	n = add_item(payload, 0, 1, 24);
	add_record(payload, n);
	add_record(payload, 0);
}

static void whole_and_cut(void)
{
	u32 records, items;
	u64 cut;

	build();
	CHECK(walk(buffer, used, &records, &items) == TAP_WALK_END);
	CHECK(records == 3 && items == 5);
	for (cut = 0; cut < used; cut++) {
		u8 *copy = malloc(cut ? cut : 1);
		enum tap_walk w;

		memcpy(copy, buffer, cut);
		w = walk(copy, cut, &records, &items);
		CHECK(w == TAP_WALK_CUT || (w == TAP_WALK_END && records < 3));
		free(copy);
	}
}

static void altered(void)
{
	u32 records, items, round, i;

	for (round = 0; round < 100000; round++) {
		u8 *copy;

		build();
		copy = malloc(used);
		memcpy(copy, buffer, used);
		for (i = 0; i <= random_below(3); i++)
			copy[random_below(used)] = (u8)random_next();
		walk(copy, used, &records, &items);
		free(copy);
	}
}

static void refused(void)
{
	static const u32 short_sizes[] = { 0, 1, 8, 15 }, long_sizes[] = { 97, 101, 0xfffffff8, 0xffffffff };
	struct tap_record r;
	const u8 *payload;
	u32 i, at;
	struct tap_item item;

	for (i = 0; i < 4; i++) {
		u64 place = 0;

		memcpy(buffer, &(struct tap_record){ .size = short_sizes[i] }, sizeof(r));
		CHECK(tap_record_next(buffer, 100, &place, &r, &payload) == TAP_WALK_MALFORMED && !place);
		memcpy(buffer, &(struct tap_record){ .size = long_sizes[i] }, sizeof(r));
		CHECK(tap_record_next(buffer, 100, &place, &r, &payload) == TAP_WALK_CUT && !place);
	}
	at = 0;
	add_item(buffer, 0, 3, 0);
	CHECK(tap_item_next(buffer, 8, &at, 3, &item, &payload) == TAP_WALK_MALFORMED);
	add_item(buffer, 0, TAP_ITEM_SWITCH_FILE + 1, 0);
	CHECK(tap_item_next(buffer, 8, &at, 3, &item, &payload) == TAP_WALK_MALFORMED);
	add_item(buffer, 0, TAP_ITEM_EXIT, 1);
	CHECK(tap_item_next(buffer, 9, &at, 3, &item, &payload) == TAP_WALK_MALFORMED);
	add_item(buffer, 0, 0, 0);
	buffer[4] = 1;
	CHECK(tap_item_next(buffer, 8, &at, 3, &item, &payload) == TAP_WALK_MALFORMED);
	CHECK(tap_item_next(buffer, 7, &at, 3, &item, &payload) == TAP_WALK_MALFORMED && at == 0);
}

/* An item that is all the rest of its record. */
static void rest(void)
{
	struct tap_item item = { 2 | TAP_ITEM_LAST, TAP_ITEM_REST };
	const u8 *payload;
	u32 at = 0;

	memcpy(buffer + add_item(buffer, 0, 1, 3), &item, sizeof(item));
	CHECK(tap_item_next(buffer, 24, &at, 3, &item, &payload) == TAP_WALK_OK && item.format == 1 && item.size == 3);
	CHECK(tap_item_next(buffer, 24, &at, 3, &item, &payload) == TAP_WALK_OK && item.format == 2 && item.size == 5 &&
	      payload == buffer + 19);
	CHECK(tap_item_next(buffer, 24, &at, 3, &item, &payload) == TAP_WALK_END);
	at = 11;
	CHECK(tap_item_next(buffer, 19, &at, 3, &item, &payload) == TAP_WALK_OK && item.size == 0 && at == 19);
	at = 11;
	CHECK(tap_item_next(buffer, 19, &at, 2, &item, &payload) == TAP_WALK_MALFORMED);
	memcpy(buffer, &(struct tap_item){ TAP_ITEM_EXIT, TAP_ITEM_REST }, sizeof(item));
	at = 0;
	CHECK(tap_item_next(buffer, 8, &at, 3, &item, &payload) == TAP_WALK_MALFORMED);
}

static void meta(void)
{
	struct tap_meta m = { TAP_META_FORMAT, 5 };
	const u8 *payload;
	u64 at = 0;

	memcpy(buffer, &m, sizeof(m));
	memcpy(buffer + sizeof(m), "hello", 5);
	CHECK(tap_meta_next(buffer, 13, &at, &m, &payload) == TAP_WALK_OK && m.size == 5 && *payload == 'h');
	CHECK(tap_meta_next(buffer, 13, &at, &m, &payload) == TAP_WALK_END);
	at = 0;
	CHECK(tap_meta_next(buffer, 12, &at, &m, &payload) == TAP_WALK_MALFORMED && at == 0);
	CHECK(tap_meta_next(buffer, 7, &at, &m, &payload) == TAP_WALK_MALFORMED);
}

int main(void)
{
	whole_and_cut();
	altered();
	refused();
	rest();
	meta();
	return report("core-record");
}
