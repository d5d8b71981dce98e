/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes by their points, functions, globals, macros: from the tokens, so that an open bracket hides nothing. */
#include "outline.h"

#include <string.h>

#include "base/arena.h"
#include "points.h"
#include "scan.h"

/* SymbolKind */
enum { SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13, SYMBOL_CONSTANT = 14, SYMBOL_EVENT = 24 };
enum { LONGEST_NAME = 100 };

struct outline {
	struct question *question;
	struct scan scan;
	json_t *symbols;
};

/* Of the declaration's tokens FIRST to LAST, of which NAME to NAME_END are the name. */
static void add(struct outline *o, int kind, const char *text, size_t first, size_t last, size_t name, size_t name_end)
{
	const struct lines *lines = &o->question->document->lines;
	const struct token *tokens = o->scan.tokens.items;

	json_array_append_new(o->symbols, json_pack("{s:s, s:i, s:o, s:o}", "name", *text ? text : "?", "kind", kind,
		"range", lines_range(lines, tokens[first].span.start, tokens[last].span.end),
		"selectionRange", lines_range(lines, tokens[name].span.start, tokens[name_end].span.end)));
}

/* The points in one line. */
static const char *one_line(struct arena *a, const char *text)
{
	char *line = arena_strndup(a, text, strnlen(text, LONGEST_NAME)), *to = line;

	for (const char *from = line; *from; from++)
		if (*from > ' ' || *from < 0)
			*to++ = *from;
		else if (to > line && to[-1] != ' ')
			*to++ = ' ';
	while (to > line && (to[-1] == ' ' || to[-1] < 0))	/* a cut character */
		to--;
	*to = '\0';
	return line;
}

static void add_probe(struct outline *o, const struct declaration *d)
{
	size_t end = d->equals != NO_TOKEN ? d->equals : d->body, last = end > d->first + 1 ? end - 1 : d->first;
	const char *text = point_written(&o->scan, o->question->arena, d->first + 1, end);

	add(o, SYMBOL_EVENT, one_line(o->question->arena, text), d->first, d->end - 1, d->first, last);
}

static void add_globals(struct outline *o, const struct declaration *d)
{
	const struct token *tokens = o->scan.tokens.items;
	int depth = 0;

	for (size_t i = d->first + 1; i < d->end; i++) {
		enum token_kind kind = tokens[i].kind, before = tokens[i - 1].kind;

		depth += (kind == TOKEN_LBRACKET) - (kind == TOKEN_RBRACKET);
		if (kind == TOKEN_NAME && !depth && (before == TOKEN_GLOBAL || before == TOKEN_COMMA ||
						     before == TOKEN_PRIVATE))
			add(o, SYMBOL_VARIABLE, tokens[i].text, i, i, i, i);
	}
}

json_t *outline_answer(struct question *q)
{
	struct outline o = { .question = q, .symbols = json_array() };

	scan_text(&o.scan, q->arena, q->document->lines.text, q->document->lines.size);
	vec_each(d, &o.scan.declarations) {
		if (d->kind == TOKEN_PROBE)
			add_probe(&o, d);
		else if (d->kind == TOKEN_GLOBAL)
			add_globals(&o, d);
		else if (d->name != NO_TOKEN)
			add(&o, d->kind == TOKEN_FUNCTION ? SYMBOL_FUNCTION : SYMBOL_CONSTANT,
			    o.scan.tokens.items[d->name].text, d->first, d->end - 1, d->name, d->name);
	}
	return o.symbols;
}
