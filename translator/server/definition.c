/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the document are found in its tokens; those of the library in its declarations, which are read for that.
 * What a point or a variable means is known when the document has been resolved. */
#include "definition.h"

#include "base/arena.h"
#include "focus.h"
#include "library/library.h"
#include "meaning/resolve.h"
#include "scan.h"
#include "syntax/preproc.h"

static json_t *location(const struct question *q, struct span at)
{
	struct lines lines;
	json_t *range;

	at = span_written(at);
	lines_open(&lines, at.source->text, at.source->size);
	range = lines_range(&lines, at.start, at.end);
	lines_close(&lines);
	return json_pack("{s:s, s:o}", "uri", at.source->is_library && at.source->name[0] != '<' &&
			 !str_equal(at.source->name, q->document->path) ? path_uri(q->arena, at.source->name) :
			 q->document->uri, "range", range);
}

static json_t *token_location(const struct question *q, const struct scan *s, size_t token)
{
	return location(q, s->tokens.items[token].span);
}

static struct library *library_of(const struct question *q)
{
	return q->analyst->library(q->analyst->data);
}

static json_t *function_location(const struct question *q, const struct scan *s, const char *name)
{
	const struct declaration *d = scan_named(s, TOKEN_FUNCTION, name);
	function_list *all = d ? NULL : library_functions(library_of(q), name, &s->source);

	if (d)
		return token_location(q, s, d->name);
	return all ? location(q, all->items[0]->span) : NULL;
}

static json_t *macro_location(const struct question *q, const struct scan *s, const char *name)
{
	const struct declaration *d = scan_named(s, TOKEN_AT, name);
	const struct macro *macro = d ? NULL : macros_find(library_of(q)->macros, name);

	if (d)
		return token_location(q, s, d->name);
	return macro ? location(q, macro->span) : NULL;
}

/* The point as written in the probe, if it includes the cursor. */
static bool is_at(const struct question *q, const struct point *p)
{
	while (p->derived_from)
		p = p->derived_from;
	return p->span.source->text == q->document->lines.text && p->span.start <= q->at && q->at <= p->span.end;
}

static json_t *alias_location(struct question *q)
{
	struct program *p = focus_document(q);

	if (!p)
		return NULL;
	vec_each(h, &p->handlers)
		vec_each(site, &(*h)->sites)
			if ((*h)->aliases.n && is_at(q, site->point))
				return location(q, (*h)->aliases.items[0]->names.items[0]->span);
	return NULL;
}

static json_t *variable_location(struct question *q, const struct scan *s, size_t token)
{
	const char *name = s->tokens.items[token].text;
	const struct declaration *d = scan_declaration(s, token);
	size_t global = scan_global(s, name);
	struct program *p;
	struct found_expr found;

	if (d && d->kind == TOKEN_FUNCTION && scan_has_parameter(s, d, name))
		return token_location(q, s, scan_local(s, d, name));
	if (global != NO_TOKEN)
		return token_location(q, s, global);
	p = focus_document(q);
	if (p && focus_find(q, p, s->tokens.items[token].span.start, &found) && found.expr->kind == EXPR_NAME &&
	    found.expr->name.variable)
		return location(q, found.expr->name.variable->span);
	return d && scan_local(s, d, name) != NO_TOKEN ? token_location(q, s, scan_local(s, d, name)) : NULL;
}

json_t *definition_answer(struct question *q)
{
	const struct declaration *d;
	const struct token *token;
	struct scan s;
	size_t i;

	scan_text(&s, q->arena, q->document->lines.text, q->document->lines.size);
	i = scan_word_at(&s, q->at);
	if (i == NO_TOKEN)
		return NULL;
	token = &s.tokens.items[i];
	d = scan_declaration(&s, i);
	if (scan_in_point(&s, d, i))
		return alias_location(q);
	if (token->kind == TOKEN_AT)
		return macro_location(q, &s, token->text);
	switch (scan_use(&s, i)) {
	case USE_FUNCTION: return function_location(q, &s, token->text);
	case USE_VARIABLE: return variable_location(q, &s, i);
	case USE_NONE: break;
	}
	return NULL;
}
