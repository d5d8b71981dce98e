/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The destination of formatted bytes: a buffer that drops what does not fit, or a buffer that
 * is emptied through a callback whenever it is full, for output of any length. */
#ifndef TAP_CORE_WRITER_H
#define TAP_CORE_WRITER_H

#include "tap_script.h"

struct tap_writer {
	char *start, *at, *end;		/* [start, at) is written, [at, end) is room; never empty */
	/* Takes [start, at) away and sets at = start. NULL: what does not fit is dropped. */
	void (*flush)(struct tap_writer *w);
};

/* The slow paths. */
void tap_write_slow(struct tap_writer *w, const char *data, u64 size);
void tap_write_fill(struct tap_writer *w, char byte, u64 count);

static inline void tap_write(struct tap_writer *w, const char *data, u64 size)
{
	if (tap_unlikely((u64)(w->end - w->at) < size)) {
		tap_write_slow(w, data, size);
		return;
	}
	__builtin_memcpy(w->at, data, size);
	w->at += size;
}

static inline void tap_write_byte(struct tap_writer *w, char byte)
{
	if (tap_unlikely(w->at == w->end)) {
		if (!w->flush)
			return;
		w->flush(w);
	}
	*w->at++ = byte;
}

/* Ends a piece of output: nothing remains in the buffer. */
static inline void tap_write_end(struct tap_writer *w)
{
	if (w->flush && w->at != w->start)
		w->flush(w);
}

#endif
