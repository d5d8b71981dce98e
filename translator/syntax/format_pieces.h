/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the formatter: a script as a list of tokens and comments. */
#ifndef TAPC_FORMAT_PIECES_H
#define TAPC_FORMAT_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "lex.h"

enum { PIECE_COMMENT = TOKEN_COUNT };

struct piece {
	int kind;			/* enum token_kind, or PIECE_COMMENT */
	const char *text;
	uint32_t size;
	const char *gap;		/* the white space before it */
	uint32_t gap_size;
	unsigned breaks;		/* newlines in the gap */

	/* format_structure.c: how it may be laid out */
	enum { LINE_KEEP, LINE_JOIN, LINE_BREAK } line;	/* whether a line begins here: as written, no, yes */
	unsigned indent;		/* tabs, if a line begins here */
	unsigned depth;			/* number of parentheses around it */
	bool space;			/* a space precedes, if no line begins here */
	bool starts_statement;
	bool opens_block, closes_block;
	bool is_inline;			/* a block on one line: its '{' and '}' */
};

typedef VEC(struct piece) piece_list;

/* Splits S; the last piece is a TOKEN_END. False after a message if the lexer refuses the text. */
bool pieces_read(const struct source *s, struct arena *a, piece_list *pieces);
/* Do A and B have the same tokens and comments? White space at the ends of lines in a comment does not count. */
bool pieces_equal(const piece_list *a, const piece_list *b);

static inline bool piece_is_line_comment(const struct piece *p)
{
	return p->kind == PIECE_COMMENT && (p->text[0] == '#' || p->text[1] == '/');
}

#endif
