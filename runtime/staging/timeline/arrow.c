// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of one table as a file of Apache Arrow (Columnar Format, "IPC File Format"; Schema.fbs, Message.fbs,
 * File.fbs): the schema, batches of rows with their values by column, and at the end the schema again and where the
 * batches are. No value can be missing, so columns have no bitmaps. */
#include <endian.h>

#include "flatbuffer.h"
#include "groups.h"

/* Numbers of Schema.fbs and Message.fbs */
enum { VERSION_5 = 4, TYPE_INT = 2, TYPE_TEXT = 5, HEADER_SCHEMA = 1, HEADER_BATCH = 3 };

static const char magic[] = "ARROW1";
enum { ALIGNMENT = 8 };

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* ---- metadata ---- */

/* The buffer begins with a reference to its first table. */
static void meta_begin(struct bytes *meta)
{
	meta->size = 0;
	flat_u32(meta, 0);
}

static void meta_end(struct bytes *meta, size_t first)
{
	flat_refer(meta, 0, first);
	flat_align(meta, 0, ALIGNMENT);
}

static void add_type(struct bytes *b, const struct flat_table *field, bool is_text)
{
	static const uint8_t integer[] = { 4, 1 };	/* bits, is signed */
	struct flat_table type = flat_table(b, is_text ? 0 : 2, integer);

	flat_set_table(b, field, 3, type.at);
	if (is_text)
		return;
	flat_set(b, &type, 0, 64);
	flat_set(b, &type, 1, true);
}

/* Returns its position. */
static size_t add_field(struct bytes *b, const struct column *c)
{
	/* name, is nullable, the kind of its type, the type, dictionary, children */
	static const uint8_t sizes[] = { FLAT_OFFSET, 0, 1, FLAT_OFFSET, 0, FLAT_OFFSET };
	struct flat_table field = flat_table(b, 6, sizes);

	flat_set(b, &field, 2, c->is_text ? TYPE_TEXT : TYPE_INT);
	flat_set_text(b, &field, 0, c->name);
	add_type(b, &field, c->is_text);
	flat_set_vector(b, &field, 5, 0, FLAT_OFFSET);
	return field.at;
}

static size_t add_schema(struct bytes *b, const struct columns *c)
{
	static const uint8_t sizes[] = { 0, FLAT_OFFSET };	/* endianness: little; fields */
	struct flat_table schema = flat_table(b, 2, sizes);
	size_t at;

	flat_set_vector(b, &schema, 1, c->count, FLAT_OFFSET);
	at = b->size;
	flat_zeros(b, c->count * FLAT_OFFSET);
	for (uint32_t i = 0; i < c->count; i++)
		flat_refer(b, at + i * FLAT_OFFSET, add_field(b, &c->all[i]));
	return schema.at;
}

static struct flat_table begin_message(struct bytes *meta, unsigned kind, uint64_t body)
{
	/* version, the kind of its header, the header, bytes of its body */
	static const uint8_t sizes[] = { 2, 1, FLAT_OFFSET, 8 };
	struct flat_table message;

	meta_begin(meta);
	message = flat_table(meta, 4, sizes);
	flat_set(meta, &message, 0, VERSION_5);
	flat_set(meta, &message, 1, kind);
	flat_set(meta, &message, 3, body);
	return message;
}

/* Adds the message without its body. Returns its bytes. */
static size_t put_message(struct bytes *to, struct bytes *meta, const struct flat_table *message, size_t header)
{
	flat_set_table(meta, message, 2, header);
	meta_end(meta, message->at);
	flat_u32(to, UINT32_MAX);
	flat_u32(to, meta->size);
	bytes_add(to, meta->data, meta->size);
	return meta->size + 8;
}

/* ---- a batch ---- */

/* Bytes of the first ROWS values: of numbers, or of the characters of texts. */
static size_t values_size(const struct column *c, uint32_t rows)
{
	return columns_size(c, rows) - (c->is_text ? rows * sizeof(uint32_t) : 0);
}

static size_t offsets_size(uint32_t rows)
{
	return ((size_t)rows + 1) * sizeof(uint32_t);
}

static uint64_t body_size(const struct columns *c, uint32_t rows)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < c->count; i++)
		size += aligned(values_size(&c->all[i], rows)) + (c->all[i].is_text ? aligned(offsets_size(rows)) : 0);
	return size;
}

static void describe_buffer(struct bytes *meta, uint64_t *at, size_t size)
{
	flat_u64(meta, *at);
	flat_u64(meta, size);
	*at += aligned(size);
}

/* Where the parts of the columns are in the body: bitmap, offsets of texts, values. */
static void describe_buffers(struct bytes *meta, const struct columns *c, uint32_t rows)
{
	uint64_t at = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		describe_buffer(meta, &at, 0);
		if (c->all[i].is_text)
			describe_buffer(meta, &at, offsets_size(rows));
		describe_buffer(meta, &at, values_size(&c->all[i], rows));
	}
}

/* Returns its position. */
static size_t describe_batch(struct bytes *meta, const struct columns *c, uint32_t rows)
{
	static const uint8_t sizes[] = { 8, FLAT_OFFSET, FLAT_OFFSET };	/* rows, columns, buffers */
	struct flat_table batch = flat_table(meta, 3, sizes);
	uint32_t texts = 0;

	flat_set(meta, &batch, 0, rows);
	flat_set_vector(meta, &batch, 1, c->count, 8);
	for (uint32_t i = 0; i < c->count; i++) {
		flat_u64(meta, rows);
		flat_u64(meta, 0);	/* values that are missing */
		texts += c->all[i].is_text;
	}
	flat_set_vector(meta, &batch, 2, 2 * c->count + texts, 8);
	describe_buffers(meta, c, rows);
	return batch.at;
}

static void add_texts(struct bytes *to, const char *values, uint32_t rows)
{
	uint32_t end = 0, size;
	const char *at = values;

	flat_u32(to, end);
	for (uint32_t i = 0; i < rows; i++, at += sizeof(size) + size) {
		memcpy(&size, at, sizeof(size));
		size = le32toh(size);
		flat_u32(to, end += size);
	}
	flat_align(to, 0, ALIGNMENT);
	at = values;
	for (uint32_t i = 0; i < rows; i++, at += sizeof(size) + size) {
		memcpy(&size, at, sizeof(size));
		size = le32toh(size);
		bytes_add(to, at + sizeof(size), size);
	}
}

static void arrow_group(struct timeline *t, uint32_t rows)
{
	struct columns *c = &t->columns;
	uint64_t start = t->handed + t->out.size, body = body_size(c, rows);
	struct flat_table message = begin_message(&c->page, HEADER_BATCH, body);
	size_t head = put_message(&t->out, &c->page, &message, describe_batch(&c->page, c, rows));

	/* what is handed over always ends at a multiple of ALIGNMENT in the file, so t->out begins at one */
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->all[i].is_text)
			add_texts(&t->out, c->all[i].values.data, rows);
		else
			bytes_add(&t->out, c->all[i].values.data, columns_size(&c->all[i], rows));
		flat_align(&t->out, 0, ALIGNMENT);
	}
	flat_u64(&c->described, start);
	flat_u64(&c->described, head);	/* 4 bytes, and 4 of nothing */
	flat_u64(&c->described, body);
}

/* ---- the file ---- */

static void arrow_start(struct timeline *t)
{
	struct bytes *meta = &t->columns.page;
	struct flat_table message = begin_message(meta, HEADER_SCHEMA, 0);

	bytes_text(&t->out, magic);
	flat_align(&t->out, 0, ALIGNMENT);
	put_message(&t->out, meta, &message, add_schema(meta, &t->columns));
}

static void arrow_finish(struct timeline *t, uint32_t groups, uint64_t rows)
{
	/* version, schema, dictionaries, batches */
	static const uint8_t sizes[] = { 2, FLAT_OFFSET, FLAT_OFFSET, FLAT_OFFSET };
	struct bytes *meta = &t->columns.page;
	struct flat_table footer;

	(void)rows;
	meta_begin(meta);
	footer = flat_table(meta, 4, sizes);
	flat_set(meta, &footer, 0, VERSION_5);
	flat_set_table(meta, &footer, 1, add_schema(meta, &t->columns));
	flat_set_vector(meta, &footer, 2, 0, 8);
	flat_set_vector(meta, &footer, 3, groups, 8);
	bytes_add(meta, t->columns.described.data, t->columns.described.size);
	meta_end(meta, footer.at);
	flat_u32(&t->out, UINT32_MAX);	/* no more messages */
	flat_u32(&t->out, 0);
	bytes_add(&t->out, meta->data, meta->size);
	flat_u32(&t->out, meta->size);
	bytes_text(&t->out, magic);
}

const struct timeline_format timeline_arrow = {
	.name = "arrow", TIMELINE_GROUPS, .start = arrow_start, .group = arrow_group, .finish = arrow_finish,
};
