/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to a buffer that has no room for all bytes. */
#include "core/writer.h"

void tap_write_slow(struct tap_writer *w, const char *data, u64 size)
{
	for (;;) {
		u64 room = (u64)(w->end - w->at);
		u64 n = size < room ? size : room;

		__builtin_memcpy(w->at, data, n);
		w->at += n;
		data += n;
		size -= n;
		if (!size || !w->flush)
			return;
		w->flush(w);
	}
}

void tap_write_fill(struct tap_writer *w, char byte, u64 count)
{
	for (;;) {
		u64 room = (u64)(w->end - w->at);
		u64 n = count < room ? count : room;

		__builtin_memset(w->at, byte, n);
		w->at += n;
		count -= n;
		if (!count || !w->flush)
			return;
		w->flush(w);
	}
}
