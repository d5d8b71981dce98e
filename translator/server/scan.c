/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that is being typed seldom parses, but its tokens nearly always tell where declarations begin: 'probe',
 * 'function' and 'global' are keywords that no body contains. */
#include "scan.h"

#include <string.h>

#include "base/arena.h"
#include "base/intern.h"

bool token_is(const struct scan *s, size_t token, enum token_kind kind)
{
	return token < s->tokens.n && s->tokens.items[token].kind == kind;
}

const char *token_written(struct arena *a, const struct token *t)
{
	const char *text = t->span.source->text + t->span.start;
	uint32_t size = t->span.end - t->span.start;

	if (*text != '"')
		return arena_strndup(a, text, size);
	return arena_strndup(a, text + 1, size > 1 && text[size - 1] == '"' ? size - 2 : size - 1);
}

static bool is_text(const struct scan *s, size_t token, const char *text)
{
	return token < s->tokens.n && s->tokens.items[token].text && str_equal(s->tokens.items[token].text, text);
}

/* ---- brackets ---- */

static int opens(enum token_kind kind)
{
	return kind == TOKEN_LPAREN || kind == TOKEN_LBRACE || kind == TOKEN_LBRACKET || kind == TOKEN_IF_OPEN;
}

static int closes(enum token_kind kind)
{
	return kind == TOKEN_RPAREN || kind == TOKEN_RBRACE || kind == TOKEN_RBRACKET || kind == TOKEN_IF_CLOSE;
}

size_t scan_opening(const struct scan *s, size_t close)
{
	int depth = 0;

	for (size_t i = close + 1; i-- > 0;) {
		depth += closes(s->tokens.items[i].kind);
		depth -= opens(s->tokens.items[i].kind);
		if (!depth)
			return i;
	}
	return NO_TOKEN;
}

/* The closing bracket of the one at OPEN, before END; otherwise END. */
static size_t closing(const struct scan *s, size_t open, size_t end)
{
	int depth = 0;

	for (size_t i = open; i < end; i++) {
		depth += opens(s->tokens.items[i].kind);
		depth -= closes(s->tokens.items[i].kind);
		if (!depth)
			return i;
	}
	return end;
}

/* ---- declarations ---- */

static bool begins(const struct scan *s, size_t i)
{
	enum token_kind kind = s->tokens.items[i].kind;

	if (kind == TOKEN_AT)
		return is_text(s, i, "define");
	if (i && (token_is(s, i - 1, TOKEN_DOT) || token_is(s, i - 1, TOKEN_PRIVATE)))
		return false;
	return kind == TOKEN_PROBE || kind == TOKEN_FUNCTION || kind == TOKEN_GLOBAL ||
	       (kind == TOKEN_PRIVATE && !token_is(s, i + 1, TOKEN_PROBE));
}

static void set_kind(const struct scan *s, struct declaration *d)
{
	size_t word = d->first + token_is(s, d->first, TOKEN_PRIVATE);

	d->kind = s->tokens.items[word].kind;
	if (d->kind != TOKEN_PROBE && d->kind != TOKEN_FUNCTION && d->kind != TOKEN_AT)
		d->kind = TOKEN_GLOBAL;
	d->name = d->equals = NO_TOKEN;
	if ((d->kind == TOKEN_FUNCTION || d->kind == TOKEN_AT) && token_is(s, word + 1, TOKEN_NAME))
		d->name = word + 1;
}

static void set_body(const struct scan *s, struct declaration *d)
{
	int depth = 0;

	d->body = d->close = d->end;
	for (size_t i = d->first; i < d->end && d->body == d->end; i++) {
		enum token_kind kind = s->tokens.items[i].kind;

		if (!depth && d->kind == TOKEN_PROBE && (kind == TOKEN_ASSIGN || kind == TOKEN_ADD_ASSIGN))
			d->equals = i;
		if ((kind == TOKEN_LBRACE && d->kind != TOKEN_GLOBAL && d->kind != TOKEN_AT) ||
		    (kind == TOKEN_EMBEDDED && d->kind == TOKEN_FUNCTION) ||
		    (kind == TOKEN_IF_OPEN && d->kind == TOKEN_AT))
			d->body = i;
		depth += opens(kind) - closes(kind);
	}
	if (token_is(s, d->body, TOKEN_EMBEDDED))
		d->close = d->body;
	else if (d->body < d->end)
		d->close = closing(s, d->body, d->end);
}

static size_t next_declaration(const struct scan *s, size_t i)
{
	while (i + 1 < s->tokens.n && !begins(s, i))
		i++;
	return i;
}

/* The body of a macro may contain declarations. If it is open, it ends before the first. */
static void set_macro(const struct scan *s, struct declaration *d)
{
	d->end = s->tokens.n - 1;
	set_body(s, d);
	d->end = d->close < d->end ? d->close + 1 : next_declaration(s, d->first + 1);
	set_body(s, d);
}

static void find_declarations(struct scan *s, struct arena *a)
{
	for (size_t i = next_declaration(s, 0); i + 1 < s->tokens.n;) {
		struct declaration *d = vec_add(a, &s->declarations);

		d->first = i;
		set_kind(s, d);
		d->end = next_declaration(s, i + 1 + token_is(s, i, TOKEN_PRIVATE));
		set_body(s, d);
		if (d->kind == TOKEN_AT)
			set_macro(s, d);
		i = next_declaration(s, d->end);
	}
}

void scan_text(struct scan *s, struct arena *a, const char *text, size_t size)
{
	struct lex_name *names = arena_array(a, struct lex_name, LEX_NAMES);
	struct interned *strings = arena_new(a, struct interned);
	struct lexer lexer;
	struct token t;

	*s = (struct scan){ .source = { .name = "", .text = text, .size = size } };
	interned_open(strings, a);
	lexer_open(&lexer, &s->source, strings, names);
	do {
		t = lex_next(&lexer);
		*vec_add(a, &s->tokens) = t;
	} while (t.kind != TOKEN_END);
	find_declarations(s, a);
}

/* ---- the cursor ---- */

bool token_is_word(const struct token *t)
{
	const char c = t->kind == TOKEN_END ? ' ' : t->span.source->text[t->span.start];

	return t->kind != TOKEN_NUMBER && (is_identifier_char(c) || c == '$' || c == '@');
}

size_t scan_before(const struct scan *s, uint32_t at)
{
	size_t low = 0, high = s->tokens.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->tokens.items[middle].span.start < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : NO_TOKEN;
}

size_t scan_word_at(const struct scan *s, uint32_t at)
{
	size_t before = scan_before(s, at), next = before + 1;	/* NO_TOKEN + 1 is 0 */

	if (before != NO_TOKEN && at < s->tokens.items[before].span.end)
		return before;
	if (next < s->tokens.n && s->tokens.items[next].span.start == at && token_is_word(&s->tokens.items[next]))
		return next;
	if (before != NO_TOKEN && at == s->tokens.items[before].span.end && token_is_word(&s->tokens.items[before]))
		return before;
	return NO_TOKEN;
}

bool scan_in_comment(const struct scan *s, uint32_t at)
{
	size_t before = scan_before(s, at);
	const char *p = s->source.text, *end = p + at, *stop;

	if (before != NO_TOKEN) {
		const struct token *t = &s->tokens.items[before];

		if (t->kind == TOKEN_BAD && t->error == LEX_OPEN_COMMENT)
			return true;
		p += t->span.end;
	}
	while (p < end) {
		bool is_block = p[0] == '/' && p[1] == '*';

		if (!is_block && *p != '#' && !(p[0] == '/' && p[1] == '/')) {
			p++;
			continue;
		}
		stop = memmem(p + 1, (size_t)(end - p - 1), is_block ? "*/" : "\n", is_block ? 2 : 1);
		if (!stop)
			return true;
		p = stop + (is_block ? 2 : 1);
	}
	return false;
}

const struct declaration *scan_declaration(const struct scan *s, size_t token)
{
	vec_each(d, &s->declarations)
		if (d->first <= token && token < d->end)
			return d;
	return NULL;
}

/* ---- names ---- */

int scan_depth(const struct scan *s, const struct declaration *d, size_t token)
{
	int depth = 0;

	for (size_t i = d->first; i < token; i++)
		depth += opens(s->tokens.items[i].kind) - closes(s->tokens.items[i].kind);
	return depth;
}

bool scan_in_point(const struct scan *s, const struct declaration *d, size_t token)
{
	return d && d->kind == TOKEN_PROBE && token > d->first && token < d->body && !scan_depth(s, d, token);
}

/* The names between the parentheses after the name of D. */
static bool is_parameter(const struct scan *s, const struct declaration *d, size_t token)
{
	size_t before = token - 1;

	return d->name != NO_TOKEN && token > d->name && token < d->body && token_is(s, token, TOKEN_NAME) &&
	       (token_is(s, before, TOKEN_LPAREN) || token_is(s, before, TOKEN_COMMA));
}

enum use scan_use(const struct scan *s, size_t token)
{
	const struct declaration *d = scan_declaration(s, token);

	if (!token_is(s, token, TOKEN_NAME) || s->tokens.items[token].text[0] == '$')
		return USE_NONE;
	if (token && (token_is(s, token - 1, TOKEN_ARROW) || is_text(s, token - 1, "define")))
		return USE_NONE;
	if (scan_in_point(s, d, token))
		return USE_NONE;
	if (d && d->name == token)
		return d->kind == TOKEN_FUNCTION ? USE_FUNCTION : USE_NONE;
	if (d && d->kind == TOKEN_AT && token < d->body)
		return USE_NONE;
	return token_is(s, token + 1, TOKEN_LPAREN) ? USE_FUNCTION : USE_VARIABLE;
}

size_t scan_global(const struct scan *s, const char *name)
{
	vec_each(d, &s->declarations)
		for (size_t i = d->first + 1; d->kind == TOKEN_GLOBAL && i < d->end; i++)
			if (is_text(s, i, name) && token_is(s, i, TOKEN_NAME) && !token_is(s, i - 1, TOKEN_ASSIGN))
				return i;
	return NO_TOKEN;
}

const struct declaration *scan_named(const struct scan *s, enum token_kind kind, const char *name)
{
	vec_each(d, &s->declarations)
		if (d->kind == kind && d->name != NO_TOKEN && is_text(s, d->name, name))
			return d;
	return NULL;
}

void scan_parameters(const struct scan *s, const struct declaration *d, struct arena *a, name_list *names)
{
	for (size_t i = d->first; i < d->body; i++)
		if (is_parameter(s, d, i))
			*vec_add(a, names) = s->tokens.items[i].text;
}

bool scan_has_parameter(const struct scan *s, const struct declaration *d, const char *name)
{
	for (size_t i = d->first; i < d->body; i++)
		if (is_parameter(s, d, i) && is_text(s, i, name))
			return true;
	return false;
}

size_t scan_local(const struct scan *s, const struct declaration *d, const char *name)
{
	for (size_t i = d->first; i < d->end; i++)
		if (is_text(s, i, name) && scan_use(s, i) == USE_VARIABLE)
			return i;
	return NO_TOKEN;
}
