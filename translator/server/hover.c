/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of the language and of the library have a manual; what the document defines is shown as it is written, with the
 * comment above it; variables and members have types. */
#include "hover.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "debuginfo/type.h"
#include "focus.h"
#include "meaning/infer.h"
#include "points.h"
#include "scan.h"
#include "tools/manual.h"

/* ---- what the document defines ---- */

/* The lines of comment directly above the declaration. */
static void add_comment(struct text *t, const struct scan *s, const struct declaration *d)
{
	const char *text = s->source.text, *end = text + s->tokens.items[d->first].span.start, *start;
	size_t before = d->first ? s->tokens.items[d->first - 1].span.end : 0;

	while (end > text + before && (end[-1] == '\n' || end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (start = end; start > text + before; start--)
		if (start[-1] == '\n' && start[0] == '\n')
			break;
	while (start < end && (*start == '\n' || *start == ' '))
		start++;
	/* on the last line of the declaration before it: a comment about that */
	if (start == text + before && before)
		start = memchr(start, '\n', (size_t)(end - start));
	if (!start || start >= end)
		return;
	text_char(t, '\n');
	text_add_n(t, start, (size_t)(end - start));
}

static bool add_declaration(struct text *t, const struct scan *s, const struct declaration *d)
{
	if (!d)
		return false;
	text_add(t, point_written(s, t->arena, d->first, d->body));
	add_comment(t, s, d);
	return true;
}

/* ---- variables ---- */

static void add_variable(struct text *t, const struct variable *v)
{
	static const char *const kinds[] = { "global", "local", "parameter", "local" };

	text_printf(t, "%s %s", kinds[v->kind], v->name);
	for (int i = 0; i < v->key_count && i < (int)ARRAY_SIZE(v->key_types); i++)
		text_printf(t, "%s%s", i ? ", " : "[", type_name(v->key_types[i]));
	if (v->key_count > 0)
		text_char(t, ']');
	if (v->type != TYPE_UNKNOWN && v->type != TYPE_ERROR)
		text_printf(t, ":%s", type_name(v->type));
	if (v->pointee && v->pointee->reader)
		text_printf(t, "\npoints to %s", debug_type_text(t->arena, v->pointee));
}

static struct variable *find_declared(struct program *p, const struct scan *s, const struct declaration *d,
				      const char *name)
{
	if (!d)
		return NULL;
	if (d->kind == TOKEN_GLOBAL) {
		vec_each(v, &p->globals)
			if (str_equal((*v)->name, name) && !(*v)->span.source->is_library)
				return *v;
		return NULL;
	}
	vec_each(f, &p->functions)
		if (d->name != NO_TOKEN && str_equal((*f)->name, s->tokens.items[d->name].text))
			vec_each(v, &(*f)->parameters)
				if (str_equal((*v)->name, name))
					return *v;
	return NULL;
}

/* ---- members ---- */

static void add_type(struct text *t, const char *name, const struct debug_type *type)
{
	text_printf(t, "%s: %s", name, type ? debug_type_text(t->arena, type) : "not available here");
}

/* Of $x->y[1]->z the part up to the word at the cursor. */
static bool add_part(struct question *q, struct text *t, const struct found_expr *f, const char *word)
{
	const component_list *parts = f->expr->kind == EXPR_TARGET ? &f->expr->target.components :
								     &f->expr->arrow.components;

	for (size_t i = 0; i < parts->n; i++)
		if (parts->items[i].kind == COMPONENT_MEMBER && parts->items[i].span.end >= q->at &&
		    str_equal(parts->items[i].name, word)) {
			add_type(t, word, focus_part_type(q, f, i + 1));
			return true;
		}
	if (*word == '$')
		add_type(t, word, focus_part_type(q, f, 0));
	else
		text_printf(t, "%s:%s, a variable of the probe", word,
			    f->expr->type == TYPE_UNKNOWN ? "long" : type_name(f->expr->type));
	return true;
}

static bool add_resolved(struct question *q, struct text *t, const struct scan *s, size_t token)
{
	const char *word = s->tokens.items[token].text;
	struct program *p = focus_document(q);
	struct found_expr found;
	struct variable *v;

	if (!p)
		return false;
	v = find_declared(p, s, scan_declaration(s, token), word);
	if (!v && focus_find(q, p, s->tokens.items[token].span.start, &found)) {
		if (found.expr->kind == EXPR_TARGET || found.expr->kind == EXPR_ARROW)
			return add_part(q, t, &found, word);
		v = found.expr->kind == EXPR_NAME ? found.expr->name.variable : NULL;
	}
	if (!v || !str_equal(v->name, word))
		return false;
	add_variable(t, v);
	return true;
}

/* ---- points ---- */

static bool ends_point(enum token_kind kind)
{
	return kind == TOKEN_COMMA || kind == TOKEN_ASSIGN || kind == TOKEN_ADD_ASSIGN || kind == TOKEN_QUESTION ||
	       kind == TOKEN_NOT || kind == TOKEN_IF || kind == TOKEN_LBRACE || kind == TOKEN_PROBE;
}

/* The whole point; if that has no manual, its beginning up to the word. */
static bool add_point(struct question *q, struct text *t, const struct scan *s, const struct declaration *d,
		      size_t token)
{
	size_t first = token, end = token + 1, word_end = token + 1;
	const char *text;

	while (first > d->first + 1 && !ends_point(s->tokens.items[first - 1].kind))
		first--;
	while (end < d->body && !ends_point(s->tokens.items[end].kind))
		end++;
	while (word_end < end && s->tokens.items[word_end].kind != TOKEN_DOT)
		word_end++;
	text = point_written(s, t->arena, first, end);
	vec_each(other, &s->declarations)
		if (other->equals != NO_TOKEN &&
		    str_equal(point_written(s, t->arena, other->first + 1, other->equals), text))
			return add_declaration(t, s, other);
	return q->manual && (manual_probe_text(q->manual, text, t) ||
			     manual_probe_text(q->manual, point_written(s, t->arena, first, word_end), t));
}

/* ---- the answer ---- */

static bool add_at(struct question *q, struct text *t, const struct scan *s, const char *name)
{
	return add_declaration(t, s, scan_named(s, TOKEN_AT, name)) ||
	       (q->manual && manual_function_text(q->manual, arena_printf(t->arena, "@%s", name), t));
}

static bool add_function(struct question *q, struct text *t, const struct scan *s, const char *name)
{
	return add_declaration(t, s, scan_named(s, TOKEN_FUNCTION, name)) ||
	       (q->manual && manual_function_text(q->manual, name, t));
}

static bool describe(struct question *q, struct text *t, const struct scan *s, size_t i)
{
	const struct declaration *d = scan_declaration(s, i);
	const struct token *token = &s->tokens.items[i];

	if (scan_in_point(s, d, i) && token_is_word(token))
		return add_point(q, t, s, d, i);
	if (token->kind == TOKEN_AT)
		return add_at(q, t, s, token->text);
	if (token->kind != TOKEN_NAME)
		return false;
	if (scan_use(s, i) == USE_FUNCTION)
		return add_function(q, t, s, token->text);
	return add_resolved(q, t, s, i);
}

json_t *hover_answer(struct question *q)
{
	struct scan s;
	struct text t;
	size_t i;

	text_init(&t, q->arena);
	scan_text(&s, q->arena, q->document->lines.text, q->document->lines.size);
	i = scan_word_at(&s, q->at);
	if (i == NO_TOKEN || !describe(q, &t, &s, i))
		return NULL;
	return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", q->markdown ? "markdown" : "plaintext",
			 "value", json_sprintf(q->markdown ? "```\n%s\n```" : "%s", t.s),
			 "range", lines_range(&q->document->lines, s.tokens.items[i].span.start,
					      s.tokens.items[i].span.end));
}
