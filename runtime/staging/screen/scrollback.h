/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last lines of a growing text. */
#ifndef STAGING_SCROLLBACK_H
#define STAGING_SCROLLBACK_H

#include <stddef.h>
#include <stdint.h>

struct scrollback {
	size_t most;			/* bytes; up to twice as many are kept */
	char *text;
	size_t size, room;
	size_t *starts;			/* of the lines; the last line may still grow */
	unsigned count, starts_room;
	uint64_t dropped;		/* number of lines dropped before the first */
};

void scrollback_add(struct scrollback *s, const char *text, size_t size);
/* Line N without its newline; the caller frees it. */
char *scrollback_line(const struct scrollback *s, unsigned n);
void scrollback_free(struct scrollback *s);

#endif
