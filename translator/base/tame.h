/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What another machine says, on this user's terminal: text in UTF-8, colours and moves of the cursor (as the
 * functions ansi_... make them) go through. Whatever else could be an order to the terminal, such as to set its
 * title, to write to the clipboard or to answer as if something had been typed, is shown instead of obeyed. */
#ifndef TAPC_TAME_H
#define TAPC_TAME_H

#include <stddef.h>

#include "text.h"

/* Between two pieces of one stream: a sequence that has begun. */
struct tame {
	char begun[32];
	size_t n;
};

/* Append N bytes at P to OUT. */
void tame_add(struct tame *t, struct text *out, const char *p, size_t n);
/* The stream has ended: what had begun is shown. */
void tame_end(struct tame *t, struct text *out);
/* WORD for a message: all but letters, digits and signs of ASCII as escapes, cut after 100 bytes. */
const char *tame_word(struct arena *a, const char *word);

#endif
