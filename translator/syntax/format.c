/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formatter: pieces to lines. It keeps the author's line breaks, except around braces, and breaks lines that are
 * too long: at the '{' of a block on one line, else where a statement begins, else after a comma or before '&&', '||'
 * and '?', preferably one that few parentheses surround. It repeats until nothing changes, because a break can turn a
 * block on one line into one on several. */
#include "format.h"

#include <string.h>

#include "base/arena.h"
#include "base/util.h"
#include "format_pieces.h"
#include "format_structure.h"
#include "source/diag.h"
#include "source/source.h"
#include "base/arena.h"

struct layout {
	const piece_list *pieces;
	struct text *out;
	const char *newline;
};

static const struct piece *piece_at(const struct layout *l, size_t i)
{
	return &l->pieces->items[i];
}

static bool begins_line(const struct layout *l, size_t i)
{
	const struct piece *p = piece_at(l, i), *before = i ? p - 1 : NULL;

	if (!before || p->line == LINE_BREAK || piece_is_line_comment(before))
		return true;
	return p->breaks && (p->line != LINE_JOIN || before->kind == PIECE_COMMENT);
}

static bool has_blank_line(const struct layout *l, size_t i)
{
	const struct piece *p = piece_at(l, i);

	if (!i || p->breaks < 2)
		return false;
	return !p[-1].opens_block && !(p->closes_block && p->kind == TOKEN_RBRACE);
}

/* ---- widths ---- */

static unsigned text_width(const char *text, size_t size)
{
	unsigned n = 0;

	for (size_t i = 0; i < size; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* The column after each piece of a line that begins at FIRST */
static unsigned advance_column(const struct layout *l, size_t first, size_t i, unsigned column)
{
	const struct piece *p = piece_at(l, i);

	return (i == first ? 8 * p->indent : column + (p->kind == PIECE_COMMENT ? p->gap_size > 0 : p->space)) +
	       text_width(p->text, p->size);
}

static bool has_newline(const struct layout *l, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (memchr(piece_at(l, i)->text, '\n', piece_at(l, i)->size))
			return true;
	return false;
}

static bool is_too_long(const struct layout *l, size_t first, size_t end)
{
	unsigned column = 0;

	if (has_newline(l, first, end))
		return false;
	while (end > first && piece_at(l, end - 1)->kind == PIECE_COMMENT)
		end--;
	for (size_t i = first; i < end; i++)
		column = advance_column(l, first, i, column);
	return column > FORMAT_COLUMNS;
}

/* ---- breaks in long lines ---- */

/* How good a break before piece I is: less is better; -1: none */
static int break_cost(const struct layout *l, size_t i)
{
	enum { STATEMENT = 0, COMMA = 1 };
	const struct piece *p = piece_at(l, i), *before = p - 1;

	if (p->kind == PIECE_COMMENT || p->closes_block || before->kind == PIECE_COMMENT)
		return -1;
	if (p->starts_statement && p->kind != TOKEN_ELSE && p->kind != TOKEN_CATCH && before->kind != TOKEN_ELSE)
		return STATEMENT;
	if (before->kind == TOKEN_COMMA || p->kind == TOKEN_LAND || p->kind == TOKEN_LOR || p->kind == TOKEN_QUESTION)
		return COMMA + (int)p->depth;
	return -1;
}

static size_t find_block(const struct layout *l, size_t first, size_t end)
{
	for (size_t i = first; i + 1 < end; i++) {
		const struct piece *p = piece_at(l, i);

		if (p->kind == TOKEN_LBRACE && p->opens_block && p->is_inline && p[1].kind != TOKEN_RBRACE)
			return i + 1;
	}
	return 0;
}

/* The piece before which the line [FIRST, END) is broken; END: nowhere */
static size_t find_break(const struct layout *l, size_t first, size_t end)
{
	enum { NARROW = FORMAT_COLUMNS / 2 };
	size_t best = find_block(l, first, end);
	unsigned column = 0;
	int best_cost = -1;

	if (best)
		return best;
	best = end;
	for (size_t i = first; i < end; i++) {
		int cost = i > first ? break_cost(l, i) : -1;

		if (column > FORMAT_COLUMNS && best != end)
			break;
		if (cost >= 0 && (best == end || column < NARROW || cost <= best_cost)) {
			best = i;
			best_cost = cost;
		}
		column = advance_column(l, first, i, column);
	}
	return best;
}

/* ---- output ---- */

static void add_line_break(struct layout *l)
{
	while (l->out->n && (l->out->s[l->out->n - 1] == ' ' || l->out->s[l->out->n - 1] == '\t'))
		l->out->s[--l->out->n] = '\0';
	text_add(l->out, l->newline);
}

static void add_indent(struct layout *l, unsigned indent)
{
	while (indent--)
		text_char(l->out, '\t');
}

static const char *skip_white(const char *text, const char *end)
{
	while (text < end && (*text == ' ' || *text == '\t' || *text == '\r'))
		text++;
	return text;
}

/* Do all lines but the first begin with '*'? Those move with the comment; other texts stay as they are. */
static bool has_stars(const struct piece *p)
{
	const char *text = p->text, *end = p->text + p->size;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		text = skip_white(text + 1, end);
		if (text < end && *text != '*')
			return false;
	}
	return true;
}

static void add_comment(struct layout *l, const struct piece *p, unsigned indent)
{
	const char *text = p->text, *end = p->text + p->size, *line_end;
	bool stars = has_stars(p);

	for (;;) {
		line_end = memchr(text, '\n', (size_t)(end - text));
		line_end = line_end ? line_end : end;
		text_add_n(l->out, text, (size_t)(line_end - text));
		if (line_end == end)
			return;
		while (l->out->s[l->out->n - 1] == '\r')
			l->out->s[--l->out->n] = '\0';
		add_line_break(l);
		text = line_end + 1;
		if (!stars)
			continue;
		text = skip_white(text, end);
		add_indent(l, indent);
		text_char(l->out, ' ');
	}
}

/* Comments at the ends of lines may be aligned, so what is before them stays. */
static void add_gap(struct layout *l, const struct piece *p, bool ends_line)
{
	size_t size = l->out->n;

	if (p->kind != PIECE_COMMENT) {
		if (p->space || (p[-1].kind == PIECE_COMMENT && p->gap_size))
			text_char(l->out, ' ');
		return;
	}
	for (uint32_t i = 0; i < p->gap_size && ends_line && !p->breaks; i++)
		if (p->gap[i] == ' ' || p->gap[i] == '\t')
			text_char(l->out, p->gap[i]);
	if (l->out->n == size)
		text_char(l->out, ' ');
}

static void add_line(struct layout *l, size_t first, size_t end)
{
	const struct piece *head = piece_at(l, first);

	add_indent(l, head->indent);
	for (size_t i = first; i < end; i++) {
		const struct piece *p = piece_at(l, i);

		if (i > first)
			add_gap(l, p, i + 1 == end);
		if (p->kind == PIECE_COMMENT)
			add_comment(l, p, head->indent);
		else
			text_add_n(l->out, p->text, p->size);
	}
	text_add(l->out, l->newline);
}

static void add_broken_line(struct layout *l, size_t first, size_t end)
{
	while (is_too_long(l, first, end)) {
		size_t at = find_break(l, first, end);

		if (at == end)
			break;
		add_line(l, first, at);
		first = at;
	}
	add_line(l, first, end);
}

static void lay_out(struct layout *l)
{
	size_t n = l->pieces->n - 1;	/* without the end */

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !begins_line(l, end); end++)
			;
		if (has_blank_line(l, i))
			text_add(l->out, l->newline);
		add_broken_line(l, i, end);
	}
}

/* ---- rounds ---- */

/* That of the first line */
static const char *newline_of(const struct source *s)
{
	const char *newline = memchr(s->text, '\n', s->size);

	return newline && newline > s->text && newline[-1] == '\r' ? "\r\n" : "\n";
}

static bool format_once(const struct source *s, struct arena *a, piece_list *pieces, struct text *out)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct layout l = { pieces, out, newline_of(s) };

	text_init(out, a);
	if (!pieces_read(s, a, pieces))
		return false;
	if (str_starts(s->text, mark))
		text_add(out, mark);
	pieces_arrange(a, pieces);
	lay_out(&l);
	return true;
}

bool format_source(const struct source *s, struct text *out)
{
	enum { ROUNDS = 10 };
	struct arena *a = out->arena;
	piece_list written = { 0 };
	struct text result;

	if (!format_once(s, a, &written, &result))
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		struct source *again = source_add(s->diag, s->name, result.s, result.n);
		piece_list pieces = { 0 };

		if (!format_once(again, a, &pieces, &result) || !pieces_equal(&written, &pieces))
			break;
		if (result.n == again->size && memcmp(result.s, again->text, result.n) == 0) {
			text_add_n(out, result.s, result.n);
			return true;
		}
	}
	diag_error((struct span){ s, 0, 0 }, "this script cannot be formatted (this is a defect of tapc)");
	return false;
}
