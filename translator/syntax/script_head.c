/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script's interface, from its tokens: see script_head.h. The parser reads the declarations again, and reports
 * mistakes in them. */
#include "script_head.h"

#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/util.h"
#include "lex.h"

struct reader {
	struct arena *arena;
	struct lexer lexer;
	struct token token;
};

static bool is_name(const struct token *t, enum token_kind kind, const char *text)
{
	return t->kind == kind && str_equal(t->text, text);
}

static bool accept(struct reader *r, enum token_kind kind)
{
	if (r->token.kind != kind)
		return false;
	r->token = lex_next(&r->lexer);
	return true;
}

/* Adjacent strings, joined; NULL: there is no string. */
static const char *read_text(struct reader *r)
{
	const char *text = NULL;

	while (r->token.kind == TOKEN_STRING) {
		text = arena_printf(r->arena, "%s%s", text ? text : "", r->token.text);
		r->token = lex_next(&r->lexer);
	}
	return text;
}

static bool read_default(struct reader *r, struct declared_option *o)
{
	bool is_negative = accept(r, TOKEN_MINUS);

	if (r->token.kind != TOKEN_NUMBER)
		return !is_negative && (o->text = read_text(r));
	o->number = is_negative ? -(uint64_t)r->token.number : (uint64_t)r->token.number;
	return accept(r, TOKEN_NUMBER);
}

/* After "@option": ("name", 10, "help", "1..100") */
static bool read_option(struct reader *r, struct declared_option *o)
{
	const char *name, *values = NULL;

	if (!accept(r, TOKEN_LPAREN) || !(name = read_text(r)) || declared_set_name(o, r->arena, name) ||
	    !accept(r, TOKEN_COMMA) || !read_default(r, o) || !accept(r, TOKEN_COMMA) || !(o->help = read_text(r)))
		return false;
	if (accept(r, TOKEN_COMMA) && (!(values = read_text(r)) || declared_set_values(o, r->arena, values)))
		return false;
	return r->token.kind == TOKEN_RPAREN;
}

static bool is_argument(const struct token *t)
{
	return t->kind == TOKEN_ARG_TEXT || t->kind == TOKEN_ARG_STRING || is_name(t, TOKEN_NAME, "argc") ||
	       is_name(t, TOKEN_NAME, "argv");
}

struct script_head script_head_find(struct arena *a, const char *text, size_t size)
{
	const struct source source = { .text = text, .size = size };
	struct reader r = { .arena = a };
	struct script_head head = { 0 };
	struct token before = { 0 }, last = { 0 };
	struct interned strings;

	interned_open(&strings, a);
	lexer_open(&r.lexer, &source, &strings, arena_array(a, struct lex_name, LEX_NAMES));
	r.token = lex_next(&r.lexer);
	while (r.token.kind != TOKEN_END) {
		struct declared_option o = { 0 };
		bool is_option = is_name(&r.token, TOKEN_AT, "option") && before.kind == TOKEN_NAME &&
				 last.kind == TOKEN_ASSIGN;

		/* a macro of this name has another meaning */
		if (is_name(&last, TOKEN_AT, "define") && is_name(&r.token, TOKEN_NAME, "option"))
			return (struct script_head){ .has_arguments = true };
		head.has_arguments |= is_argument(&r.token);
		o.variable = before.text;
		before = last;
		last = r.token;
		r.token = lex_next(&r.lexer);
		if (is_option && read_option(&r, &o))
			*vec_add(a, &head.options) = o;
	}
	return head;
}

/* ---- the comment ---- */

/* A line "# needs: linux 5.17": the length of its word, or 0. */
static size_t word_size(const char *line)
{
	size_t n = 0;

	while (islower((unsigned char)line[n]) || isdigit((unsigned char)line[n]))
		n++;
	return n && str_starts(line + n, ": ") ? n : 0;
}

/* Sets the line without its comment sign; false after the last line of the comment. */
static bool next_line(struct arena *a, const char **text, const char **line)
{
	size_t n = strcspn(*text, "\n");
	const char *from = *text, *at = from;

	if (str_starts(at, "//"))
		at++;
	else if (*at != '#')
		return false;
	at += at[1] == ' ' ? 2 : 1;
	*line = at < from + n ? arena_strndup(a, at, (size_t)(from + n - at)) : "";
	*text = from[n] ? from + n + 1 : from + n;
	return true;
}

const char *script_head_comment(struct arena *a, const char *text)
{
	struct text out;
	const char *line;

	text_init(&out, a);
	if (str_starts(text, "#!"))
		text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
	while (next_line(a, &text, &line)) {
		if (word_size(line) || str_starts(line, "SPDX-"))
			continue;
		text_add(&out, line);
		text_char(&out, '\n');
	}
	return out.n ? out.s : "";
}

const char *script_head_line(struct arena *a, const char *text, const char *word)
{
	const char *line;

	while (next_line(a, &text, &line))
		if (word_size(line) == strlen(word) && str_starts(line, word))
			return line + strlen(word) + 2;
	return NULL;
}
