/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that grow at the end. Without memory the process ends, as everywhere in the loader. */
#ifndef TIMELINE_BYTES_H
#define TIMELINE_BYTES_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "staging/common/status.h"

struct bytes {
	char *data;
	size_t size, room;
};

_Noreturn static inline void bytes_fail(void)
{
	fputs("ERROR: out of memory\n", stderr);
	exit(TAP_STATUS_HOST);
}

static inline void *bytes_grow(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory)
		bytes_fail();
	return memory;
}

/* Room for SIZE bytes at the end; the caller adds to ->size what it has written there. */
static inline char *bytes_room(struct bytes *b, size_t size)
{
	if (b->room - b->size < size) {
		b->room = 2 * b->room + size;
		b->data = (char *)bytes_grow(b->data, b->room);
	}
	return b->data + b->size;
}

static inline void bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (size)
		memcpy(bytes_room(b, size), data, size);
	b->size += size;
}

static inline void bytes_text(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text));
}

static inline void bytes_number(struct bytes *b, uint64_t value)
{
	char digits[20], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	bytes_add(b, at, (size_t)(digits + sizeof(digits) - at));
}

static inline void bytes_signed(struct bytes *b, int64_t value)
{
	if (value < 0)
		bytes_text(b, "-");
	bytes_number(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* VALUE / 10^DECIMALS, exactly; at most 9 decimals. */
static inline void bytes_decimal(struct bytes *b, uint64_t value, int decimals)
{
	char text[10] = ".";
	uint64_t whole = value;

	for (int i = decimals; i > 0; i--, whole /= 10)
		text[i] = (char)('0' + whole % 10);
	bytes_number(b, whole);
	bytes_add(b, text, (size_t)decimals + 1);
}

/* At most 127 bytes. */
__attribute__((format(printf, 2, 3))) static inline void bytes_format(struct bytes *b, const char *format, ...)
{
	enum { MOST = 128 };
	char *to = bytes_room(b, MOST);
	va_list args;

	va_start(args, format);
	b->size += (size_t)vsnprintf(to, MOST, format, args);
	va_end(args);
}

static inline void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

#endif
