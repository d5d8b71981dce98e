/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flatbuffer (FlatBuffers, "Internals") that is written forwards: what a table refers to follows it. Positions are
 * those in the buffer, which begins at 0 and has nothing else. */
#ifndef TIMELINE_FLATBUFFER_H
#define TIMELINE_FLATBUFFER_H

#include <endian.h>

#include "bytes.h"

enum { FLAT_FIELDS = 8, FLAT_OFFSET = 4 };

struct flat_table {
	size_t at;
	uint16_t fields[FLAT_FIELDS];	/* where they are in the table; 0: absent, so the default */
	uint8_t sizes[FLAT_FIELDS];
};

static inline void flat_zeros(struct bytes *b, size_t size)
{
	memset(bytes_room(b, size), 0, size);
	b->size += size;
}

/* So that what follows the next BEFORE bytes is aligned. */
static inline void flat_align(struct bytes *b, size_t before, size_t alignment)
{
	flat_zeros(b, -(b->size + before) & (alignment - 1));
}

static inline void flat_u32(struct bytes *b, uint64_t value)
{
	uint32_t word = htole32((uint32_t)value);

	bytes_add(b, &word, sizeof(word));
}

static inline void flat_u64(struct bytes *b, uint64_t value)
{
	value = htole64(value);
	bytes_add(b, &value, sizeof(value));
}

/* The offset at position AT refers to what is at TO. */
static inline void flat_refer(struct bytes *b, size_t at, size_t to)
{
	uint32_t offset = htole32((uint32_t)(to - at));

	memcpy(b->data + at, &offset, sizeof(offset));
}

/* A table whose COUNT fields have these SIZES: FLAT_OFFSET, that of a number, or 0 if it is absent. All are 0. */
static inline struct flat_table flat_table(struct bytes *b, unsigned count, const uint8_t *sizes)
{
	uint16_t head[2 + FLAT_FIELDS] = { 0 };
	size_t head_size = (2 + count) * sizeof(*head), size = FLAT_OFFSET;
	struct flat_table t = { 0 };

	for (unsigned i = 0; i < count; i++) {
		if (!sizes[i])
			continue;
		size += -size & (size_t)(sizes[i] - 1);
		t.fields[i] = (uint16_t)size;
		t.sizes[i] = sizes[i];
		head[2 + i] = htole16(t.fields[i]);
		size += sizes[i];
	}
	head[0] = htole16((uint16_t)head_size);
	head[1] = htole16((uint16_t)size);
	flat_align(b, head_size, 8);
	bytes_add(b, head, head_size);
	t.at = b->size;
	flat_u32(b, head_size);
	flat_zeros(b, size - FLAT_OFFSET);
	return t;
}

static inline void flat_set(struct bytes *b, const struct flat_table *t, unsigned field, uint64_t value)
{
	value = htole64(value);
	memcpy(b->data + t->at + t->fields[field], &value, t->sizes[field]);
}

static inline void flat_set_table(struct bytes *b, const struct flat_table *t, unsigned field, size_t to)
{
	flat_refer(b, t->at + t->fields[field], to);
}

static inline void flat_set_text(struct bytes *b, const struct flat_table *t, unsigned field, const char *text)
{
	flat_align(b, 0, FLAT_OFFSET);
	flat_set_table(b, t, field, b->size);
	flat_u32(b, strlen(text));
	bytes_add(b, text, strlen(text) + 1);
}

/* Begins a vector of COUNT elements, which follow, aligned to ALIGNMENT. */
static inline void flat_set_vector(struct bytes *b, const struct flat_table *t, unsigned field, size_t count,
				   size_t alignment)
{
	flat_align(b, FLAT_OFFSET, alignment);
	flat_set_table(b, t, field, b->size);
	flat_u32(b, count);
}

#endif
