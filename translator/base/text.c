/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string in an arena. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

void text_init(struct text *t, struct arena *a)
{
	*t = (struct text){ .arena = a, .room = 256 };
	t->s = arena_alloc(a, t->room);
}

static void make_room(struct text *t, size_t more)
{
	size_t room = t->room;

	if (t->n + more < room)
		return;
	while (t->n + more >= room)
		room *= 2;
	t->s = arena_grow(t->arena, t->s, t->n + 1, room);
	t->room = room;
}

void text_add_n(struct text *t, const char *s, size_t n)
{
	make_room(t, n);
	memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_add_n(t, s, strlen(s));
}

void text_char(struct text *t, char c)
{
	text_add_n(t, &c, 1);
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->s + t->n, t->room - t->n, fmt, ap);
	va_end(ap);
	if (n < 0)
		fatal("cannot format '%s'", fmt);
	if ((size_t)n >= t->room - t->n) {
		t->s[t->n] = '\0';
		make_room(t, (size_t)n);
		va_start(ap, fmt);
		vsnprintf(t->s + t->n, t->room - t->n, fmt, ap);
		va_end(ap);
	}
	t->n += (size_t)n;
}

void text_c_escape(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			text_printf(t, "\\%c", c);
		else if (c == '\n')
			text_add(t, "\\n");
		else if (c == '\t')
			text_add(t, "\\t");
		else if (c < 0x20 || c >= 0x7f || c == '?')
			text_printf(t, "\\%03o", c);	/* '?': avoids trigraphs */
		else
			text_char(t, (char)c);
	}
}
