/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script's text as a list of pieces: the lexer's tokens, and the comments that it skips between them. */
#include "format_pieces.h"

#include <string.h>

#include "base/arena.h"
#include "base/arena.h"
#include "base/intern.h"

static bool is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static uint32_t comment_size(const char *text, const char *end)
{
	const char *found;

	if (text[0] == '/' && text[1] == '*') {
		found = memmem(text + 2, (size_t)(end - text - 2), "*/", 2);
		return (uint32_t)(found + 2 - text);
	}
	found = memchr(text, '\n', (size_t)(end - text));
	return (uint32_t)((found ? found : end) - text);
}

static struct piece *add_piece(struct arena *a, piece_list *pieces, const char *gap, const char *text)
{
	struct piece *p = vec_add(a, pieces);

	p->gap = gap;
	p->gap_size = (uint32_t)(text - gap);
	p->text = text;
	for (const char *c = gap; c < text; c++)
		p->breaks += *c == '\n';
	return p;
}

/* Adds the comments from FROM to the token at TO. Returns where the last one ends. */
static const char *add_comments(struct arena *a, piece_list *pieces, const char *from, const char *to)
{
	const char *text;
	struct piece *p;

	for (;;) {
		for (text = from; text < to && is_white(*text); text++)
			;
		if (text == to)
			return from;
		p = add_piece(a, pieces, from, text);
		p->kind = PIECE_COMMENT;
		p->size = comment_size(text, to);
		from = text + p->size;
		while (piece_is_line_comment(p) && is_white(p->text[p->size - 1]))
			p->size--;
	}
}

bool pieces_read(const struct source *s, struct arena *a, piece_list *pieces)
{
	struct lex_name *names = arena_array(a, struct lex_name, LEX_NAMES);
	struct interned strings;
	struct lexer lexer;
	struct token t;
	const char *from;

	interned_open(&strings, a);
	lexer_open(&lexer, s, &strings, names);
	from = s->text + lexer.at;
	do {
		struct piece *p;

		t = lex_next(&lexer);
		if (t.kind == TOKEN_BAD) {
			lex_complain(&t);
			return false;
		}
		from = add_comments(a, pieces, from, s->text + t.span.start);
		p = add_piece(a, pieces, from, s->text + t.span.start);
		p->kind = t.kind;
		p->size = t.span.end - t.span.start;
		from = s->text + t.span.end;
	} while (t.kind != TOKEN_END);
	return true;
}

/* ---- comparison ---- */

/* The next character of a comment; a run of white space is one space. */
static char next_character(const char **p, const char *end)
{
	if (*p == end)
		return 0;
	if (!is_white(**p))
		return *(*p)++;
	while (*p < end && is_white(**p))
		++*p;
	return ' ';
}

static bool same_comment(const struct piece *a, const struct piece *b)
{
	const char *p = a->text, *q = b->text, *p_end = p + a->size, *q_end = q + b->size;
	char c;

	do {
		c = next_character(&p, p_end);
		if (c != next_character(&q, q_end))
			return false;
	} while (c || p < p_end || q < q_end);
	return true;
}

bool pieces_equal(const piece_list *a, const piece_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct piece *p = &a->items[i], *q = &b->items[i];

		if (p->kind != q->kind)
			return false;
		if (p->kind == PIECE_COMMENT ? !same_comment(p, q) :
					       p->size != q->size || memcmp(p->text, q->text, p->size) != 0)
			return false;
	}
	return true;
}
