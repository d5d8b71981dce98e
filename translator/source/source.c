/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script texts and positions in them. */
#include "source.h"

#include <string.h>

#include "base/arena.h"
#include "diag.h"

struct source *source_add(struct diag *d, const char *name, const char *text, size_t size)
{
	struct source *s = arena_new(d->arena, struct source);
	size_t lines = 1;

	*s = (struct source){ .diag = d, .name = name, .text = text, .size = size };
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	s->lines = arena_array(d->arena, uint32_t, lines);
	s->line_count = 1;
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\n')
			s->lines[s->line_count++] = (uint32_t)i + 1;
	return s;
}

struct source *source_expand(const struct source *s, struct span use, const char *expansion)
{
	struct source *copy = arena_new(s->diag->arena, struct source);

	*copy = *s;
	copy->expanded_from = use;
	copy->expansion = expansion;
	return copy;
}

void source_position(struct span at, unsigned *line, unsigned *column)
{
	const uint32_t *lines = at.source->lines;
	size_t low = 0, high = at.source->line_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (lines[middle] <= at.start)
			low = middle;
		else
			high = middle;
	}
	*line = (unsigned)low + 1;
	*column = at.start - lines[low] + 1;
}

const char *span_position(struct arena *a, struct span at)
{
	unsigned line, column;

	at = span_written(at);
	source_position(at, &line, &column);
	return arena_printf(a, "%s:%u:%u", at.source->name, line, column);
}

const char *span_text(struct arena *a, struct span at)
{
	return arena_strndup(a, at.source->text + at.start, at.end - at.start);
}

struct span span_join(struct span first, struct span last)
{
	if (first.source == last.source && last.end > first.end)
		first.end = last.end;
	return first;
}

const struct source *source_root(const struct source *s)
{
	while (s->expanded_from.source)
		s = s->expanded_from.source;
	return s;
}

struct span span_written(struct span at)
{
	while (at.source->expanded_from.source)
		at = at.source->expanded_from;
	return at;
}
