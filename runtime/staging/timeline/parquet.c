// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of one table as a Parquet file: groups of rows, each with its values by column, and at the end the schema
 * and where the columns of each group are (parquet-format: README.md, Encodings.md, parquet.thrift). All columns are
 * required, so there are no levels; values are PLAIN, a page for each column of a group. */
#include <endian.h>

#include "groups.h"
#include "thrift.h"

#if defined(HAVE_ZSTD) && !defined(TAP_SIMULATE)	/* scripts are linked with no library */
#include <zstd.h>

#include "common/library.h"

#define ZSTD_FUNCTIONS(X) X(ZSTD_compressBound) X(ZSTD_compress) X(ZSTD_isError)
LIBRARY(zstd, "libzstd.so.1", ZSTD_FUNCTIONS)
#define PACKED
#endif

/* Numbers of parquet.thrift */
enum { TYPE_INT64 = 2, TYPE_TEXT = 6, CONVERTED_UTF8 = 0, REQUIRED = 0, PLAIN = 0, RLE = 3, UNPACKED = 0, ZSTD = 6 };

enum { LEVEL = 1 };		/* of compression */

static const char magic[] = "PAR1";

/* ---- a group ---- */

#ifdef PACKED
static uint32_t codec(void)
{
	return zstd_load() ? ZSTD : UNPACKED;
}

static void pack(struct bytes *to, const char *data, size_t size)
{
	size_t room;

	if (codec() == UNPACKED) {
		bytes_add(to, data, size);
		return;
	}
	room = zstd.ZSTD_compressBound(size);
	to->size = zstd.ZSTD_compress(bytes_room(to, room), room, data, size, LEVEL);
	if (zstd.ZSTD_isError(to->size))
		bytes_fail();
}
#else
static uint32_t codec(void)
{
	return UNPACKED;
}

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
	thrift_i32(to, 1, codec());
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

static void parquet_group(struct timeline *t, uint32_t rows)
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

/* ---- the file ---- */

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

static void parquet_finish(struct timeline *t, uint32_t groups, uint64_t rows)
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

static void parquet_start(struct timeline *t)
{
	bytes_text(&t->out, magic);
}

const struct timeline_format timeline_parquet = {
	.name = "parquet", TIMELINE_GROUPS, .start = parquet_start, .group = parquet_group, .finish = parquet_finish,
};
