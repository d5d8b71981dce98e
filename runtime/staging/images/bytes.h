/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads untrusted bytes in order. Reading past the end returns 0 and sets broken. */
#ifndef STAGING_BYTES_H
#define STAGING_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *at, *end;
	bool broken;
};

static inline size_t bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->at);
}

static inline void bytes_break(struct bytes *b)
{
	b->broken = true;
	b->at = b->end;
}

/* SIZE bytes, at most 8, little-endian. */
static inline uint64_t bytes_number(struct bytes *b, size_t size)
{
	uint64_t value = 0;

	if (bytes_left(b) < size) {
		bytes_break(b);
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)b->at[i] << 8 * i;
	b->at += size;
	return value;
}

static inline int64_t bytes_signed(struct bytes *b, size_t size)
{
	uint64_t value = bytes_number(b, size);

	return size < 8 ? (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size) : (int64_t)value;
}

static inline uint8_t bytes_byte(struct bytes *b)
{
	return (uint8_t)bytes_number(b, 1);
}

/* DWARF 5, section 7.6. *SHIFT: number of bits read; bits beyond 64 are dropped. */
static inline uint64_t bytes_leb(struct bytes *b, unsigned *shift, uint8_t *last)
{
	uint64_t value = 0;

	*shift = 0;
	do {
		*last = bytes_byte(b);
		if (*shift < 64)
			value |= (uint64_t)(*last & 0x7f) << *shift;
		*shift += 7;
	} while (*last & 0x80);
	return value;
}

static inline uint64_t bytes_uleb(struct bytes *b)
{
	unsigned shift;
	uint8_t last;

	return bytes_leb(b, &shift, &last);
}

static inline int64_t bytes_sleb(struct bytes *b)
{
	unsigned shift;
	uint8_t last;
	uint64_t value = bytes_leb(b, &shift, &last);

	if (shift < 64 && last & 0x40)
		value |= ~0ull << shift;
	return (int64_t)value;
}

/* The next SIZE bytes as a separate struct. */
static inline struct bytes bytes_take(struct bytes *b, uint64_t size)
{
	struct bytes piece = { b->at, b->at, false };

	if (bytes_left(b) < size) {
		bytes_break(b);
		return piece;
	}
	b->at += size;
	piece.end = b->at;
	return piece;
}

/* A NUL-terminated text of at most MOST bytes; "" and broken if there is none. The limit is for callers that
 * can be sent to the same text repeatedly, and must not search for its end each time. */
static inline const char *bytes_short_text(struct bytes *b, size_t most)
{
	size_t left = bytes_left(b);
	const uint8_t *first = b->at, *nul = memchr(b->at, 0, left < most ? left : most);

	if (!nul) {
		bytes_break(b);
		return "";
	}
	b->at = nul + 1;
	return (const char *)first;
}

/* A NUL-terminated text; "" and broken if there is none. */
static inline const char *bytes_text(struct bytes *b)
{
	const uint8_t *first = b->at, *nul = memchr(b->at, 0, bytes_left(b));

	if (!nul) {
		bytes_break(b);
		return "";
	}
	b->at = nul + 1;
	return (const char *)first;
}

#endif
