/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Told from the tokens before the cursor: what follows it may be anything. */
#include "cursor.h"

#include "base/arena.h"

static const struct token *token_at(const struct scan *s, size_t i)
{
	return &s->tokens.items[i];
}

static bool is_open_string(const struct token *t, uint32_t at)
{
	return t->kind == TOKEN_STRING ? at < t->span.end :
	       t->kind == TOKEN_BAD && t->error == LEX_OPEN_STRING && at <= t->span.end;
}

/* A lone '@' or '$' is not a token yet. */
static bool is_begun(const struct token *t, uint32_t at)
{
	const char c = t->span.source->text[t->span.start];

	return at <= t->span.end && (token_is_word(t) || (t->kind == TOKEN_BAD && (c == '@' || c == '$')));
}

static bool is_of_function(const struct scan *s, const struct cursor *c)
{
	const struct declaration *d = c->declaration;

	return d->kind == TOKEN_FUNCTION && (d->body == d->end || c->at <= token_at(s, d->body)->span.start);
}

/* After the body of D. */
static bool is_outside(const struct scan *s, const struct cursor *c)
{
	const struct declaration *d = c->declaration;

	if (!d)
		return true;
	if (d->kind == TOKEN_GLOBAL)
		return false;
	return d->close < d->end && c->before != NO_TOKEN && c->before >= d->close &&
	       !token_is(s, c->before, TOKEN_COMMA);
}

/* After the last name of a list of globals on another line: a declaration may begin here. */
static bool is_next_line(const struct scan *s, const struct cursor *c)
{
	for (uint32_t i = token_at(s, c->before)->span.end; i < c->start; i++)
		if (s->source.text[i] == '\n')
			return !token_is(s, c->before, TOKEN_COMMA) && !token_is(s, c->before, TOKEN_GLOBAL) &&
			       !token_is(s, c->before, TOKEN_ASSIGN);
	return false;
}

static bool is_in_header(const struct scan *s, const struct cursor *c)
{
	const struct declaration *d = c->declaration;

	return d->kind == TOKEN_PROBE && (d->body == d->end || c->at <= token_at(s, d->body)->span.start);
}

static enum cursor_kind kind_of_string(const struct scan *s, const struct cursor *c)
{
	return c->declaration && is_in_header(s, c) && token_is(s, c->before, TOKEN_LPAREN) ? CURSOR_ARGUMENT :
	       CURSOR_NOTHING;
}

static enum cursor_kind kind_of_word(const struct scan *s, const struct cursor *c)
{
	if (token_is(s, c->before, TOKEN_ARROW))
		return CURSOR_MEMBER;
	if (is_outside(s, c) || (c->declaration->kind == TOKEN_GLOBAL && is_next_line(s, c)))
		return CURSOR_TOP;
	if (*c->word == '@')
		return CURSOR_AT;
	if (*c->word == '$')
		return CURSOR_TARGET;
	if (is_in_header(s, c))
		return scan_depth(s, c->declaration, c->before + 1) > 0 ? CURSOR_EXPRESSION : CURSOR_POINT;
	if (c->declaration->kind == TOKEN_GLOBAL || is_of_function(s, c))
		return CURSOR_NOTHING;
	return CURSOR_EXPRESSION;
}

void cursor_find(struct cursor *c, const struct scan *s, struct arena *a, uint32_t at)
{
	size_t i = scan_before(s, at);
	const struct token *t = i == NO_TOKEN ? NULL : token_at(s, i);
	bool is_string = t && is_open_string(t, at), is_word = t && is_begun(t, at);

	*c = (struct cursor){ .start = at, .at = at, .word = "", .before = i };
	if (is_string || is_word) {
		c->start = t->span.start + is_string;
		c->before = i ? i - 1 : NO_TOKEN;
		c->word = arena_strndup(a, s->source.text + c->start, at - c->start);
	}
	if (scan_in_comment(s, at) || (t && t->kind == TOKEN_NUMBER && at <= t->span.end) ||
	    (t && t->kind == TOKEN_EMBEDDED && at < t->span.end))
		return;
	c->declaration = c->before == NO_TOKEN ? NULL : scan_declaration(s, c->before);
	c->kind = is_string ? kind_of_string(s, c) : kind_of_word(s, c);
}

/* Back over "p", "$x->y[1]", "@cast(p, "t")->z", "f(x)". */
size_t cursor_value(const struct cursor *c, const struct scan *s)
{
	size_t i = c->before;		/* the -> */

	for (; i && i != NO_TOKEN; i--) {
		i--;
		while (token_is(s, i, TOKEN_RPAREN) || token_is(s, i, TOKEN_RBRACKET)) {
			bool is_index = token_is(s, i, TOKEN_RBRACKET);

			i = scan_opening(s, i);
			if (!i || i == NO_TOKEN)
				return NO_TOKEN;
			if (!is_index && !token_is_word(token_at(s, i - 1)))
				return i;	/* (expression)-> */
			i--;
		}
		if (!token_is_word(token_at(s, i)))
			return NO_TOKEN;
		if (!i || !token_is(s, i - 1, TOKEN_ARROW))
			return i;
	}
	return NO_TOKEN;
}

size_t cursor_point(const struct cursor *c, const struct scan *s)
{
	size_t i = c->before + 1;
	int depth = 0;

	while (i > c->declaration->first + 1) {
		enum token_kind kind = token_at(s, i - 1)->kind;

		depth += kind == TOKEN_RPAREN;
		depth -= kind == TOKEN_LPAREN;
		if (depth <= 0 && (kind == TOKEN_COMMA || kind == TOKEN_ASSIGN || kind == TOKEN_ADD_ASSIGN))
			break;
		i--;
	}
	return i;
}
