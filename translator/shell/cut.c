/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 'probe', 'function' and 'global' are keywords that no body contains, so tokens tell where declarations begin; the
 * last token of a declaration tells whether it is whole. Neither needs a text that parses. */
#include "cut.h"

#include <string.h>

#include "base/intern.h"
#include "base/util.h"
#include "syntax/lex.h"

struct cutter {
	const char *text;
	size_t size;
	struct arena *arena;
	struct cut *cut;
	int depth;			/* of open brackets */
	enum token_kind kind;		/* that the declaration begins with; TOKEN_END: none has begun */
	enum token_kind last;		/* its last token */
	size_t start, end;		/* the offset where it begins, and that of the end of its last token */
};

static bool begins(const struct token *t)
{
	return t->kind == TOKEN_PROBE || t->kind == TOKEN_FUNCTION || t->kind == TOKEN_GLOBAL ||
	       t->kind == TOKEN_PRIVATE || t->kind == TOKEN_IF_OPEN ||
	       (t->kind == TOKEN_AT && str_equal(t->text, "define"));
}

static int change_of_depth(enum token_kind kind)
{
	switch (kind) {
	case TOKEN_LPAREN: case TOKEN_LBRACE: case TOKEN_LBRACKET: case TOKEN_IF_OPEN: return 1;
	case TOKEN_RPAREN: case TOKEN_RBRACE: case TOKEN_RBRACKET: case TOKEN_IF_CLOSE: return -1;
	default: return 0;
	}
}

static bool is_whole(const struct cutter *c)
{
	switch (c->kind) {
	case TOKEN_END:
		return true;
	case TOKEN_GLOBAL:
		return c->last != TOKEN_COMMA && c->last != TOKEN_ASSIGN && c->last != TOKEN_GLOBAL;
	case TOKEN_AT: case TOKEN_IF_OPEN:
		return c->last == TOKEN_IF_CLOSE;
	default:
		return c->last == TOKEN_RBRACE || c->last == TOKEN_EMBEDDED;
	}
}

/* The declaration ends before AT; a comment after it on its last line belongs to it. */
static void end_piece(struct cutter *c, size_t at)
{
	size_t line = c->end + strcspn(c->text + c->end, "\n");
	size_t end = line < at ? line : at < c->size ? c->end : at;

	while (end > c->start && strchr(" \t\r\n", c->text[end - 1]))
		end--;
	while (c->start < end && strchr(" \t\r\n", c->text[c->start]))
		c->start++;
	if (end > c->start)
		*vec_add(c->arena, &c->cut->pieces) = arena_strndup(c->arena, c->text + c->start, end - c->start);
	c->start = end;
}

static void take_token(struct cutter *c, const struct token *t)
{
	bool is_start = !c->depth && begins(t) && is_whole(c);

	if (is_start && c->kind != TOKEN_END)
		end_piece(c, t->span.start);
	if (c->kind == TOKEN_END)
		c->cut->is_script = is_start;
	if (is_start || c->kind == TOKEN_END || c->kind == TOKEN_PRIVATE)
		c->kind = t->kind;
	c->depth += change_of_depth(t->kind);
	if (c->depth < 0)
		c->depth = 0;		/* the parser reports it */
	c->last = t->kind;
	c->end = t->span.end;
	c->cut->is_open = t->kind == TOKEN_BAD && t->span.end == c->size &&
			  (t->error == LEX_OPEN_STRING || t->error == LEX_OPEN_COMMENT ||
			   t->error == LEX_OPEN_EMBEDDED);
}

void cut_text(struct cut *cut, struct arena *a, const char *text, size_t size)
{
	struct cutter c = { .text = text, .size = size, .arena = a, .cut = cut, .kind = TOKEN_END };
	struct source source = { .name = "", .text = text, .size = size };
	struct lex_name *names = arena_array(a, struct lex_name, LEX_NAMES);
	struct interned *strings = arena_new(a, struct interned);
	struct lexer lexer;

	*cut = (struct cut){ 0 };
	interned_open(strings, a);
	lexer_open(&lexer, &source, strings, names);
	for (struct token t = lex_next(&lexer); t.kind != TOKEN_END; t = lex_next(&lexer))
		take_token(&c, &t);
	cut->is_probe = cut->is_script && c.kind == TOKEN_PROBE;
	cut->is_open |= cut->is_script && (c.depth || !is_whole(&c));
	if (c.kind != TOKEN_END)
		end_piece(&c, size);
}
