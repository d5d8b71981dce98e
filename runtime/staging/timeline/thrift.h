/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thrift's compact protocol. STEP: by how much the number of a field is above that of the one before it in its
 * struct, 1 to 15. */
#ifndef TIMELINE_THRIFT_H
#define TIMELINE_THRIFT_H

#include "bytes.h"

enum thrift_type { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_TEXT = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

static inline void thrift_byte(struct bytes *to, unsigned value)
{
	*bytes_room(to, 1) = (char)value;
	to->size++;
}

static inline void thrift_varint(struct bytes *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		thrift_byte(to, (unsigned)(value & 0x7f) | 0x80);
	thrift_byte(to, (unsigned)value);
}

/* Also an element of a list of numbers that are not negative. */
static inline void thrift_number(struct bytes *to, uint64_t value)
{
	thrift_varint(to, value << 1);
}

static inline void thrift_field(struct bytes *to, unsigned step, enum thrift_type type)
{
	thrift_byte(to, step << 4 | type);
}

static inline void thrift_i32(struct bytes *to, unsigned step, uint32_t value)
{
	thrift_field(to, step, THRIFT_I32);
	thrift_number(to, value);
}

static inline void thrift_i64(struct bytes *to, unsigned step, uint64_t value)
{
	thrift_field(to, step, THRIFT_I64);
	thrift_number(to, value);
}

/* Also an element of a list of texts. */
static inline void thrift_chars(struct bytes *to, const char *text)
{
	thrift_varint(to, strlen(text));
	bytes_text(to, text);
}

static inline void thrift_text(struct bytes *to, unsigned step, const char *text)
{
	thrift_field(to, step, THRIFT_TEXT);
	thrift_chars(to, text);
}

/* COUNT elements of TYPE follow. */
static inline void thrift_list(struct bytes *to, unsigned step, enum thrift_type type, uint32_t count)
{
	thrift_field(to, step, THRIFT_LIST);
	thrift_byte(to, (count < 15 ? count << 4 : 0xf0) | type);
	if (count >= 15)
		thrift_varint(to, count);
}

/* Ends a struct. */
static inline void thrift_stop(struct bytes *to)
{
	thrift_byte(to, 0);
}

#endif
