/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string in an arena. */
#ifndef TAPC_TEXT_H
#define TAPC_TEXT_H

#include <stddef.h>

#include "arena.h"

struct text {
	struct arena *arena;
	char *s;		/* NUL-terminated; never NULL after text_init */
	size_t n, room;
};

void text_init(struct text *t, struct arena *a);
void text_add(struct text *t, const char *s);
void text_add_n(struct text *t, const char *s, size_t n);
void text_char(struct text *t, char c);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends S as the inside of a C string literal: quotes, backslashes and bytes outside ASCII are escaped. */
void text_c_escape(struct text *t, const char *s, size_t n);

#endif
