/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a script, on stderr. They are coloured if stderr is a terminal or --color is given. The same
 * message at the same place is printed once: macros and wildcards would repeat it. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "base/arena.h"
#include "base/util.h"

enum { LONGEST_LINE = 160, MOST_ERRORS = 100 };

void diag_open(struct diag *d, struct arena *a, const struct options *o)
{
	*d = (struct diag){ .arena = a, .options = o };
	map_init(&d->said, a);
}

static const char *colour(const struct diag *d, const char *code)
{
	return d->options->color ? code : "";
}

/* Prints the part of the line around the span. A tab becomes one blank, so that the caret is in the right column. */
static void print_line(struct span at, unsigned line, unsigned column)
{
	const struct source *s = at.source;
	const struct diag *d = s->diag;
	uint32_t start = s->lines[line - 1], end = start, from = start;

	while (end < s->size && s->text[end] != '\n')
		end++;
	if (column > LONGEST_LINE / 2 && end - start > LONGEST_LINE)
		from = at.start - LONGEST_LINE / 2;
	if (end - from > LONGEST_LINE)
		end = from + LONGEST_LINE;
	fprintf(stderr, "%5u | ", line);
	for (uint32_t i = from; i < end; i++) {
		unsigned char c = (unsigned char)s->text[i];

		fputc(c < 0x20 || c == 0x7f ? ' ' : c, stderr);
	}
	fprintf(stderr, "\n      | %*s%s^", (int)(at.start - from), "", colour(d, "\033[1;32m"));
	for (uint32_t i = at.start + 1; i < at.end && i < end; i++)
		fputc('~', stderr);
	fprintf(stderr, "%s\n", colour(d, "\033[0m"));
}

/* A note at the same place as the message before it does not repeat the line. */
static bool is_shown(const struct diag *d, struct span at)
{
	return d->shown.source == at.source && d->shown.start == at.start && d->shown.end == at.end;
}

static void print_message(struct span at, enum diag_kind kind, const char *text)
{
	static const struct { const char *name, *colour; } kinds[] = {
		[DIAG_ERROR] = { "error", "\033[1;31m" }, [DIAG_WARNING] = { "warning", "\033[1;33m" },
		[DIAG_NOTE] = { "note", "\033[1;36m" },
	};
	struct diag *d = at.source->diag;
	unsigned line, column;

	if (d->receiver.show) {
		d->receiver.show(d->receiver.data, kind, at, text);
		return;
	}
	fflush(stdout);
	source_position(at, &line, &column);
	fprintf(stderr, "%s:%u:%u: %s%s:%s %s\n", at.source->name, line, column, colour(d, kinds[kind].colour),
		kinds[kind].name, colour(d, "\033[0m"), text);
	if (kind != DIAG_NOTE || !is_shown(d, at))
		print_line(at, line, column);
	d->shown = at;
}

/* Prints the macro uses that led to the place, innermost first; only both ends of a long chain. */
static void print_expansions(struct span at)
{
	enum { END = 4 };
	unsigned total = 0, i = 0;

	for (const struct source *s = at.source; s->expanded_from.source;
	     s = s->expanded_from.source)
		total++;
	for (const struct source *s = at.source; i < total; s = s->expanded_from.source, i++) {
		struct arena *a = s->diag->arena;

		if (total <= 2 * END + 1 || i < END || i >= total - END)
			print_message(s->expanded_from, DIAG_NOTE,
				      arena_printf(a, "in expansion of %s", s->expansion));
		else if (i == END)
			print_message(s->expanded_from, DIAG_NOTE,
				      arena_printf(a, "in %u more expansions", total - 2 * END));
	}
}

/* ---- messages about the library ---- */

void diag_used(struct span definition, struct span use)
{
	struct diag *d = definition.source->diag;

	if (source_root(definition.source)->is_library)
		*vec_add(d->arena, &d->library_uses) = (struct library_use){ span_written(definition), use };
}

/* The use that led to the definition that contains AT; zero if none was recorded. */
static struct span use_of_definition(struct span at)
{
	const struct diag *d = at.source->diag;
	const struct library_use *nearest = NULL;

	vec_each(u, &d->library_uses)
		if (u->definition.source == at.source && u->definition.start <= at.start &&
		    (!nearest || u->definition.start > nearest->definition.start))
			nearest = u;
	return nearest ? nearest->use : (struct span){ .source = NULL };
}

/* The place in the user's script that leads to AT, which is in the library; zero if there is none. */
static struct span user_of(struct span at)
{
	enum { DEEPEST = 64 };

	for (int i = 0; at.source && i < DEEPEST; i++) {
		at = span_written(at);
		if (!at.source->is_library)
			return at;
		at = use_of_definition(at);
	}
	return (struct span){ .source = NULL };
}

/* Prints a message with its place. For a place in the library, the line of the user's script comes first. */
static void print_placed(struct span at, enum diag_kind kind, const char *text)
{
	struct span user = user_of(at);

	if (!user.source || !source_root(at.source)->is_library) {
		print_message(at, kind, text);
	} else {
		print_message(user, kind, text);
		print_message(at, DIAG_NOTE, "the message is about this code of the library");
	}
	print_expansions(at);
}

/* All expansions of a macro share its text, so an error in its body is reported once. */
static bool is_repeated(struct diag *d, struct span at, const char *text)
{
	char *key = arena_printf(d->arena, "%p:%u:%s", (const void *)at.source->text, at.start, text);

	return !map_set(&d->said, key, (void *)1);
}

void diag_error(struct span at, const char *fmt, ...)
{
	struct diag *d = at.source->diag;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	d->mute = is_repeated(d, at, text);
	if (d->mute)
		return;
	d->errors++;
	d->mute = d->errors > MOST_ERRORS;
	if (d->errors == MOST_ERRORS + 1 && !d->receiver.show)
		fprintf(stderr, "tapc: note: more than %d errors; the rest is not shown\n", MOST_ERRORS);
	if (d->mute)
		return;
	print_placed(at, DIAG_ERROR, text);
}

void diag_warn(struct span at, const char *fmt, ...)
{
	struct diag *d = at.source->diag;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	if (d->options->warnings_are_errors) {
		diag_error(at, "%s (a warning that -W makes an error)", text);
		return;
	}
	d->warnings++;
	d->mute = d->options->no_warnings || is_repeated(d, at, text);
	if (d->mute)
		return;
	print_placed(at, DIAG_WARNING, text);
}

void diag_note(struct span at, const char *fmt, ...)
{
	struct diag *d = at.source->diag;
	va_list ap;
	char *text;

	if (d->mute)
		return;
	va_start(ap, fmt);
	text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	print_message(at, DIAG_NOTE, text);
}
