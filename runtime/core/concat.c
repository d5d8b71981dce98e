/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings are (pointer, size) and never change once made: an operation returns an argument, or bytes that it puts
 * on the context's scratch stack. Here are those of the language, which every module has. */
#include "core/scratch.h"

struct tap_string tap_concat(struct tap_context *c, struct tap_string a, struct tap_string b)
{
	u64 size = (u64)a.size + b.size;
	char *text;

	if (!b.size)
		return a;
	if (!a.size)
		return b;
	text = tap_room_for(c, &size);
	if (!text)
		return TAP_EMPTY;
	if (a.size > size)
		a.size = (u32)size;
	tap_copy(text, a.data, a.size);
	tap_copy(text + a.size, b.data, (u32)size - a.size);
	text[size] = 0;
	return (struct tap_string){ text, (u32)size };
}

struct tap_string tap_join(struct tap_context *c, const struct tap_string *pieces, u32 count)
{
	const struct tap_string *end = pieces + count, *piece;
	u64 size = 0, left;
	char *text, *at;

	for (piece = pieces; piece < end; piece++)
		size += piece->size;
	text = tap_room_for(c, &size);
	if (tap_unlikely(!text))
		return TAP_EMPTY;
	at = text;
	left = size;
	for (piece = pieces; piece < end; piece++) {
		u32 n = piece->size <= left ? piece->size : (u32)left;

		tap_copy(at, piece->data, n);
		at += n;
		left -= n;
	}
	*at = 0;
	return (struct tap_string){ text, (u32)size };
}

struct tap_string tap_string_hold(struct tap_context *c, struct tap_string s)
{
	u64 size = s.size;
	char *text = tap_room_for(c, &size);

	if (!text)
		return TAP_EMPTY;
	tap_copy(text, s.data, (u32)size);
	text[size] = 0;
	return (struct tap_string){ text, (u32)size };
}

int tap_string_compare(struct tap_string a, struct tap_string b)
{
	int order = __builtin_memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);

	if (order)
		return order;
	return a.size < b.size ? -1 : a.size > b.size;
}

struct tap_string tap_string_store(char *buffer, struct tap_string s)
{
	u32 size = s.size < tap_string_limit() ? s.size : tap_string_limit() - 1;

	if (s.data != buffer)
		tap_copy(buffer, s.data, size);
	buffer[size] = 0;
	return (struct tap_string){ buffer, size };
}

void tap_cell_set(struct tap_string_cell *g, struct tap_string s)
{
	g->size = tap_string_store(g->data, s).size;
}
