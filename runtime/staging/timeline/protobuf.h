/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protocol buffers: fields are written one after the other, each function returns the end. */
#ifndef TIMELINE_PROTOBUF_H
#define TIMELINE_PROTOBUF_H

#include <stdint.h>
#include <string.h>

static inline char *put_number(char *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (char)(value | 0x80);
	*at++ = (char)value;
	return at;
}

static inline char *put_varint(char *at, uint32_t field, uint64_t value)
{
	return put_number(put_number(at, field << 3), value);
}

static inline char *put_fixed(char *at, uint32_t field, uint64_t value)
{
	at = put_number(at, field << 3 | 1);
	for (int i = 0; i < 8; i++, value >>= 8)
		*at++ = (char)value;
	return at;
}

static inline char *put_bytes(char *at, uint32_t field, const void *data, size_t size)
{
	at = put_number(put_number(at, field << 3 | 2), size);
	memcpy(at, data, size);
	return at + size;
}

/* A message is written after room for its size, which is filled in at its end: sizes below 16384 take two bytes. */
static inline char *message_begin(char *at, uint32_t field)
{
	return put_number(at, field << 3 | 2) + 2;
}

static inline char *message_end(char *start, char *end)
{
	size_t size = (size_t)(end - start);

	start[-2] = (char)(size | 0x80);
	start[-1] = (char)(size >> 7);
	return end;
}

#endif
