// SPDX-License-Identifier: GPL-2.0-or-later
/* When the text has twice the wanted size, the older half is dropped: whole lines, or all of a line that is
 * longer than that. */
#include "scrollback.h"

#include <stdlib.h>
#include <string.h>

#include "common/host.h"

static void add_start(struct scrollback *s, size_t at)
{
	if (s->count == s->starts_room) {
		s->starts_room = s->starts_room ? 2 * s->starts_room : 64;
		s->starts = host_grow(s->starts, s->starts_room * sizeof(*s->starts));
	}
	s->starts[s->count++] = at;
}

static void drop_half(struct scrollback *s)
{
	unsigned n = 0;
	size_t gone;

	while (n < s->count && s->size - s->starts[n] > s->most)
		n++;
	gone = n < s->count ? s->starts[n] : s->size;
	memmove(s->text, s->text + gone, s->size - gone);
	memmove(s->starts, s->starts + n, (s->count - n) * sizeof(*s->starts));
	s->size -= gone;
	s->count -= n;
	s->dropped += n;
	for (unsigned i = 0; i < s->count; i++)
		s->starts[i] -= gone;
}

static void add_piece(struct scrollback *s, const char *text, size_t size)
{
	if (s->size + size > 2 * s->most)
		drop_half(s);
	if (s->size + size > s->room) {
		s->room = 2 * (s->size + size);
		s->text = host_grow(s->text, s->room);
	}
	if (!s->count || s->text[s->size - 1] == '\n')
		add_start(s, s->size);
	memcpy(s->text + s->size, text, size);
	s->size += size;
}

void scrollback_add(struct scrollback *s, const char *text, size_t size)
{
	while (size) {
		const char *end = memchr(text, '\n', size);
		size_t n = end ? (size_t)(end - text) + 1 : size;

		add_piece(s, text, n);
		text += n;
		size -= n;
	}
}

char *scrollback_line(const struct scrollback *s, unsigned n)
{
	size_t end = n + 1 < s->count ? s->starts[n + 1] : s->size, start = s->starts[n];

	if (end > start && s->text[end - 1] == '\n')
		end--;
	return host_printf("%.*s", (int)(end - start), s->text + start);
}

void scrollback_free(struct scrollback *s)
{
	free(s->text);
	free(s->starts);
}
