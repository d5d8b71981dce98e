// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of one table as a Parquet file: groups of rows, each with its values by column, and at the end the schema
 * and where the columns of each group are (parquet-format: README.md, Encodings.md, parquet.thrift). Readers begin at
 * the end, so one is written after each group, and every second with the rows that are no group yet; the next group is
 * written over it. All columns are required, so there are no levels; values are PLAIN, a page for each column of a
 * group. */
#include <endian.h>
#include <time.h>

#include "format.h"
#include "thrift.h"

#if defined(HAVE_ZSTD) && !defined(TAP_SIMULATE)	/* scripts are linked with no library */
#define PACKED
#include <zstd.h>
#endif

/* Numbers of parquet.thrift */
enum { TYPE_INT64 = 2, TYPE_TEXT = 6, CONVERTED_UTF8 = 0, REQUIRED = 0, PLAIN = 0, RLE = 3, UNPACKED = 0, ZSTD = 6 };

enum {
	ROWS_MOST = 128 << 10,		/* of a group */
	BYTES_MOST = 8 << 20,		/* of its values, until the last row */
	SAVE_NS = 1000000000,
	LEVEL = 1,			/* of compression */
};

static const char magic[] = "PAR1";
enum { MAGIC = sizeof(magic) - 1 };

/* ---- a group ---- */

#ifdef PACKED
enum { CODEC = ZSTD };

static void pack(struct bytes *to, const char *data, size_t size)
{
	size_t room = ZSTD_compressBound(size);

	to->size = ZSTD_compress(bytes_room(to, room), room, data, size, LEVEL);
	if (ZSTD_isError(to->size))
		bytes_fail();
}
#else
enum { CODEC = UNPACKED };

static void pack(struct bytes *to, const char *data, size_t size)
{
	bytes_add(to, data, size);
}
#endif

static void add_page_head(struct bytes *to, uint32_t rows, size_t size, size_t packed)
{
	thrift_i32(to, 1, 0);		/* a page of data */
	thrift_i32(to, 1, (uint32_t)size);
	thrift_i32(to, 1, (uint32_t)packed);
	thrift_field(to, 2, THRIFT_STRUCT);
	thrift_i32(to, 1, rows);
	thrift_i32(to, 1, PLAIN);
	thrift_i32(to, 1, RLE);		/* of levels */
	thrift_i32(to, 1, RLE);
	thrift_stop(to);
	thrift_stop(to);
}

/* A column of a group of ROWS at START, in SIZE bytes, and in PACKED ones in the file. */
static void describe_column(struct bytes *to, const struct column *c, uint32_t rows, uint64_t start, size_t size,
			    size_t packed)
{
	thrift_i64(to, 2, start);
	thrift_field(to, 1, THRIFT_STRUCT);
	thrift_i32(to, 1, c->is_text ? TYPE_TEXT : TYPE_INT64);
	thrift_list(to, 1, THRIFT_I32, 1);
	thrift_number(to, PLAIN);
	thrift_list(to, 1, THRIFT_TEXT, 1);
	thrift_chars(to, c->name);
	thrift_i32(to, 1, CODEC);
	thrift_i64(to, 1, rows);
	thrift_i64(to, 1, size);
	thrift_i64(to, 1, packed);
	thrift_i64(to, 2, start);	/* of its page */
	thrift_stop(to);
	thrift_stop(to);
}

/* Returns the bytes that it would have if it was not packed. */
static size_t add_column(struct timeline *t, const struct column *c, uint32_t rows, struct bytes *description)
{
	struct bytes *page = &t->columns.page;
	size_t size = columns_size(c, rows), start = t->out.size, head;

	page->size = 0;
	pack(page, c->values.data, size);
	add_page_head(&t->out, rows, size, page->size);
	head = t->out.size - start;
	bytes_add(&t->out, page->data, page->size);
	describe_column(description, c, rows, t->handed + start, head + size, head + page->size);
	return head + size;
}

/* Adds the first ROWS that are kept to t->out. */
static void add_group(struct timeline *t, uint32_t rows)
{
	struct columns *c = &t->columns;
	size_t size = 0;

	thrift_list(&c->described, 1, THRIFT_STRUCT, c->count);
	for (uint32_t i = 0; i < c->count; i++)
		size += add_column(t, &c->all[i], rows, &c->described);
	thrift_i64(&c->described, 1, size);
	thrift_i64(&c->described, 1, rows);
	thrift_stop(&c->described);
}

/* ---- the end ---- */

static void add_schema(struct timeline *t)
{
	const struct columns *c = &t->columns;

	thrift_list(&t->out, 1, THRIFT_STRUCT, c->count + 1);
	thrift_text(&t->out, 4, t->settings.tables[0]->name);
	thrift_i32(&t->out, 1, c->count);
	thrift_stop(&t->out);
	for (uint32_t i = 0; i < c->count; i++) {
		thrift_i32(&t->out, 1, c->all[i].is_text ? TYPE_TEXT : TYPE_INT64);
		thrift_i32(&t->out, 2, REQUIRED);
		thrift_text(&t->out, 1, c->all[i].name);
		if (c->all[i].is_text) {
			thrift_i32(&t->out, 2, CONVERTED_UTF8);
			thrift_field(&t->out, 4, THRIFT_STRUCT);	/* the same in newer files: a union */
			thrift_field(&t->out, 1, THRIFT_STRUCT);
			thrift_stop(&t->out);
			thrift_stop(&t->out);
		}
		thrift_stop(&t->out);
	}
}

/* GROUPS and ROWS: with those of the last group, which may not be one that is kept. */
static void add_end(struct timeline *t, uint32_t groups, uint64_t rows)
{
	size_t start = t->out.size;
	uint32_t size;

	thrift_i32(&t->out, 1, 1);	/* the version */
	add_schema(t);
	thrift_i64(&t->out, 1, rows);
	thrift_list(&t->out, 1, THRIFT_STRUCT, groups);
	bytes_add(&t->out, t->columns.described.data, t->columns.described.size);
	thrift_text(&t->out, 2, "tapc");
	thrift_stop(&t->out);
	size = htole32((uint32_t)(t->out.size - start));
	bytes_add(&t->out, &size, sizeof(size));
	bytes_text(&t->out, magic);
}

/* Adds a group of the first ROWS, if there are any, and an end. Returns the bytes of the group. */
static size_t add_group_and_end(struct timeline *t, uint32_t rows)
{
	struct columns *c = &t->columns;
	size_t size;

	if (rows)
		add_group(t, rows);
	size = t->out.size;
	add_end(t, c->group_count + (rows > 0), columns_last(c, 0).rows + rows);
	return size;
}

/* ---- writing ---- */

static uint64_t now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Hands over t->out, of which the first KEPT bytes stay in the file. False: it does not take them. */
static bool hand_over(struct timeline *t, size_t kept)
{
	bool good = true;

	if (t->settings.put_end)
		good = t->settings.put_end(t->settings.to, t->out.data, t->out.size, kept);
	else
		t->settings.put(t->settings.to, t->out.data, kept);
	t->out.size = 0;
	t->columns.stopped = !good;
	if (good)
		t->handed += kept;
	return good;
}

/* The rows that are kept become a group with an end. It stays in the file, or is replaced by the next one. If the disk
 * is full, the rows are kept, because some of them may have room. */
static void put_group(struct timeline *t, bool stays)
{
	struct columns *c = &t->columns;
	size_t size = add_group_and_end(t, c->rows);

	if (hand_over(t, stays ? size : 0) && stays) {
		columns_add_group(c, t->handed);
		columns_empty(c);
	} else {
		c->described.size = columns_last(c, 0).described;
	}
	c->saved = true;
	c->saved_at = now();
}

static uint64_t parquet_save(struct timeline *t)
{
	struct columns *c = &t->columns;

	if (c->saved || c->stopped || !t->settings.put_end)
		return 0;
	if (now() < c->saved_at + SAVE_NS)
		return c->saved_at + SAVE_NS;
	put_group(t, false);
	return 0;
}

static void parquet_head(struct timeline *t)
{
	const struct table *table = t->settings.tables[0];
	struct columns *c = &t->columns;

	columns_open(c, table->count + 3);
	c->all[0].name = "time";
	c->all[1].name = "cpu";
	for (unsigned i = 0; i < table->count; i++) {
		c->all[i + 2].name = table->columns[i].name;
		c->all[i + 2].is_text = table->columns[i].is_text;
	}
	c->all[c->count - 1].name = "tapc_lost";
	bytes_text(&t->out, magic);
}

/* The size of a text is known after it was added. */
static void add_text(struct bytes *to, struct timeline_text text)
{
	size_t start = to->size;
	uint32_t size = 0;

	bytes_add(to, &size, sizeof(size));
	table_add_text(to, "", text, 0);
	size = htole32((uint32_t)(to->size - start - sizeof(size)));
	memcpy(to->data + start, &size, sizeof(size));
}

static void parquet_row(struct timeline *t, const struct table *table, int64_t time, uint32_t cpu,
			const struct table_value *values)
{
	struct columns *c = &t->columns;

	if (c->stopped) {
		c->left_out++;
		return;
	}
	columns_add_number(c, 0, (uint64_t)time);
	columns_add_number(c, 1, cpu);
	for (unsigned i = 0; i < table->count; i++) {
		if (!table->columns[i].is_text)
			columns_add_number(c, i + 2, (uint64_t)values[i].number);
		else
			add_text(&c->all[i + 2].values, values[i].text);
	}
	columns_add_number(c, c->count - 1, t->lost_before);
	c->saved = false;
	if (++c->rows == ROWS_MOST || columns_total(c) >= BYTES_MOST)
		put_group(t, true);
}

static void parquet_tail(struct timeline *t)
{
	if (t->columns.stopped)
		return;
	add_group_and_end(t, t->columns.rows);
	hand_over(t, t->out.size);
	t->columns.described.size = columns_last(&t->columns, 0).described;
}

/* Not all groups may be on the disk, or have room for an end. Rows after one that is not are left out, too. */
static uint64_t parquet_shorten(struct timeline *t, uint64_t size, const char *why)
{
	struct columns *c = &t->columns;
	uint64_t rows = columns_last(c, 0).rows + c->rows + c->left_out;
	uint32_t kept = c->rows;

	(void)why;
	for (;;) {
		uint64_t at = t->handed = columns_last(c, MAGIC).end;

		t->out.size = 0;
		c->described.size = columns_last(c, 0).described;
		if (at <= size) {
			add_group_and_end(t, kept);
			if (at + t->out.size <= size)
				break;
		}
		if (at <= size && kept) {
			kept = (uint32_t)((uint64_t)kept * 7 / 8);
		} else if (c->group_count) {
			kept = 0;
			columns_drop_group(c);
		} else {
			t->out.size = 0;
			t->report.cut = rows;
			return 0;
		}
	}
	t->report.cut = rows - columns_last(c, 0).rows - kept;
	return t->handed;
}

const struct timeline_format timeline_parquet = {
	.name = "parquet", .most_tables = 1, .head = parquet_head, .row = parquet_row, .save = parquet_save,
	.tail = parquet_tail, .shorten = parquet_shorten,
};
