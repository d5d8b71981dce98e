/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters the output of another machine for this user's terminal. Text in UTF-8, colours and cursor movement (as
 * made by the functions ansi_...) pass. All other control sequences, such as those that set the title, write to the
 * clipboard or make the terminal reply as if the user had typed something, are shown as escapes. */
#ifndef TAPC_TAME_H
#define TAPC_TAME_H

#include <stddef.h>

#include "text.h"

/* State between two pieces of a stream: an incomplete sequence. */
struct tame {
	char begun[32];
	size_t n;
};

/* Appends N bytes at P to OUT, filtered. */
void tame_add(struct tame *t, struct text *out, const char *p, size_t n);
/* The stream has ended: shows an incomplete sequence. */
void tame_end(struct tame *t, struct text *out);
/* Returns WORD for a message: bytes that are not printable ASCII as escapes, cut after 100 bytes. */
const char *tame_word(struct arena *a, const char *word);

#endif
