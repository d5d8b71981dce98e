/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text before the cursor's declaration and the text after it remain as they are, so that offsets before the cursor
 * are those of the document. */
#include "focus.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "library/library.h"
#include "meaning/resolve.h"
#include "syntax/preproc.h"
#include "target/target.h"

static void ignore(void *data, enum diag_kind kind, struct span at, const char *text)
{
	(void)data, (void)kind, (void)at, (void)text;
}

static struct program *analyse(struct question *q, const char *text, size_t size)
{
	struct analysis a = { .name = q->document->path, .text = text, .size = size, .depth = ANALYSIS_NAMES,
			      .receiver = { ignore, NULL } };

	q->analyst->analyse(q->analyst->data, &a);
	return a.program;
}

struct program *focus_document(struct question *q)
{
	return analyse(q, q->document->lines.text, q->document->lines.size);
}

/* ---- a text made whole ---- */

static uint32_t start_of(const struct scan *s, size_t token)
{
	return s->tokens.items[token].span.start;
}

static uint32_t end_of(const struct scan *s, size_t token)
{
	return s->tokens.items[token].span.end;
}

/* The declaration up to END. An alias becomes a probe: its names become blanks. */
static void add_declaration(struct text *t, const struct scan *s, const struct declaration *d, uint32_t end)
{
	size_t from = t->n;

	text_add_n(t, s->source.text + start_of(s, d->first), end - start_of(s, d->first));
	if (d->equals != NO_TOKEN && end_of(s, d->equals) <= end)
		memset(t->s + from + strlen("probe"), ' ', end_of(s, d->equals) - start_of(s, d->first) - strlen("probe"));
}

/* What closes all brackets that are open after LAST. */
static void add_closers(struct text *t, const struct scan *s, const struct declaration *d, size_t last)
{
	VEC(enum token_kind) open = { 0 };

	for (size_t i = d->first; i <= last; i++) {
		enum token_kind kind = s->tokens.items[i].kind;

		if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE || kind == TOKEN_IF_OPEN)
			*vec_add(t->arena, &open) = kind;
		else if (open.n && (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE ||
				    kind == TOKEN_IF_CLOSE))
			open.n--;
	}
	while (open.n) {
		enum token_kind kind = open.items[--open.n];

		text_add(t, kind == TOKEN_LPAREN ? ")" : kind == TOKEN_LBRACKET ? "]" : kind == TOKEN_LBRACE ? ";}" :
			    "%)");
	}
}

static void add_rest(struct text *t, const struct scan *s, const struct declaration *d)
{
	uint32_t from = start_of(s, d->end);

	text_char(t, '\n');
	text_add_n(t, s->source.text + from, s->source.size - from);
}

/* ---- handlers ---- */

static void take_handlers(struct question *q, const struct text *t, uint32_t start, handler_list *found)
{
	struct program *p = analyse(q, t->s, t->n);

	if (!p)
		return;
	vec_each(h, &p->handlers)
		if ((*h)->probe->span.source->text == t->s && (*h)->probe->span.start == start)
			*vec_add(q->arena, found) = *h;
}

void focus_probe(struct question *q, const struct scan *s, const struct declaration *d, const char *points,
		 handler_list *found)
{
	uint32_t start = start_of(s, d->first);
	struct text t;

	text_init(&t, q->arena);
	text_add_n(&t, s->source.text, start);
	if (points)
		text_printf(&t, "probe %s", points);
	else
		add_declaration(&t, s, d, d->body < d->end ? start_of(s, d->body) : end_of(s, d->end - 1));
	text_add(&t, " {}");
	add_rest(&t, s, d);
	take_handlers(q, &t, start, found);
}

/* ---- expressions ---- */

struct search {
	const char *text;
	uint32_t start, end;
	bool exactly;
	struct expr *found;		/* of those that fit, the smallest */
};

static bool is_smaller(const struct expr *a, const struct expr *b)
{
	return !b || a->span.end - a->span.start <= b->span.end - b->span.start;
}

static void search_expr(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	if (!e)
		return;
	if (e->span.source && e->span.source->text == s->text && is_smaller(e, s->found) &&
	    (s->exactly ? e->span.start == s->start && e->span.end == s->end :
			  e->span.start <= s->start && s->start <= e->span.end))
		s->found = e;
	expr_each(e, search_expr, s);
}

static void search_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, search_expr, search_stmt, data);
}

static bool search(struct program *p, struct search *s, struct found_expr *found)
{
	*found = (struct found_expr){ 0 };
	vec_each(h, &p->handlers) {
		search_stmt(&(*h)->body, s);
		vec_each(c, &(*h)->conditions)
			search_expr(c, s);
		if (s->found && !found->expr)
			*found = (struct found_expr){ .expr = s->found, .handler = *h };
	}
	vec_each(f, &p->functions) {
		if (found->expr)
			break;
		search_stmt(&(*f)->body, s);
		if (s->found)
			*found = (struct found_expr){ .expr = s->found, .function = *f, .handler = (*f)->handler };
	}
	return found->expr != NULL;
}

bool focus_find(const struct question *q, struct program *p, uint32_t at, struct found_expr *found)
{
	struct search s = { .text = q->document->lines.text, .start = at };

	return search(p, &s, found);
}

const struct debug_type *focus_part_type(struct question *q, const struct found_expr *f, size_t n)
{
	struct library *lib = q->analyst->library(q->analyst->data);
	struct target_scope at = { .images = q->analyst->images(q->analyst->data),
				   .options = macros_setup(lib->macros)->options, .handler = f->handler };
	struct expr copy = *f->expr;

	if (copy.kind == EXPR_TARGET)
		copy.target.components.n = n < copy.target.components.n ? n : copy.target.components.n;
	else if (copy.kind == EXPR_ARROW)
		copy.arrow.components.n = n < copy.arrow.components.n ? n : copy.arrow.components.n;
	else
		return NULL;
	return target_type_of(&at, &copy);
}

const struct debug_type *focus_type(struct question *q, const struct scan *s, const struct declaration *d,
				    size_t first, size_t last)
{
	struct search what = { .start = start_of(s, first), .end = end_of(s, last), .exactly = true };
	struct found_expr found;
	struct program *p;
	struct text t;

	text_init(&t, q->arena);
	text_add_n(&t, s->source.text, start_of(s, d->first));
	add_declaration(&t, s, d, end_of(s, last));
	add_closers(&t, s, d, last);
	add_rest(&t, s, d);
	what.text = t.s;
	p = analyse(q, t.s, t.n);
	if (!p || !search(p, &what, &found))
		return NULL;
	if (found.expr->kind == EXPR_TARGET || found.expr->kind == EXPR_ARROW)
		return focus_part_type(q, &found, SIZE_MAX);
	return found.expr->pointee;
}
