/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where statements, declarations and blocks begin and end in a list of tokens, and what follows for indentation and
 * spaces. The parser cannot supply this: its tree has neither comments nor macros, and it never sees the branches of
 * %( %? %: %) that are not taken. So this is a recognizer of the grammar's outline, which makes something of every
 * list of tokens: a wrong guess makes a script ugly, but never different.
 *
 * Statements need no separator: a token that cannot continue an expression after a complete operand begins the next
 * one. Conditions of the preprocessor do not indent; each branch continues from the state before the condition. */
#include "format_structure.h"

#include <string.h>

#include "base/arena.h"
#include "base/util.h"

enum region { PLAIN, POINTS, FUNCTION, GLOBAL, DEFINE, CONTROL };

/* An 'if', 'else', 'while', ... whose body is one statement or block */
struct control {
	int kind;
	unsigned indent;
	enum { AT_HEADER, AT_BODY, DONE } state;
};

struct frame {
	enum { STATEMENTS, PARENS, ALTERNATIVES } kind;
	bool is_header;			/* PARENS: those of an 'if', 'while', ... */
	/* STATEMENTS: */
	unsigned indent;
	size_t controls;		/* number of controls outside */
	bool started;			/* within a statement */
	enum region region;		/* of that statement */
	unsigned statement;		/* its indentation */
};

struct state {
	VEC(struct frame) frames;	/* the first is the file */
	VEC(struct control) controls;
	bool operand;			/* the last token completes an operand */
	bool prefix;			/* it is a unary operator */
};

struct condition {
	bool is_macro;			/* the body of @define */
	unsigned indent;
	struct state before;
};

struct structure {
	struct arena *arena;
	struct state now;
	VEC(struct condition) conditions;
	int last;			/* kind of the last token; TOKEN_END: none */
	int next;			/* that of the following one */
	const struct piece *last_piece;
};

static struct frame *top_frame(struct structure *s)
{
	return &s->now.frames.items[s->now.frames.n - 1];
}

static struct frame *statement_frame(struct structure *s)
{
	struct frame *f = top_frame(s);

	while (f->kind != STATEMENTS)
		f--;
	return f;
}

static struct frame *push_frame(struct structure *s, int kind, unsigned indent)
{
	struct frame *f = vec_add(s->arena, &s->now.frames);

	*f = (struct frame){ .kind = kind, .indent = indent, .statement = indent, .controls = s->now.controls.n };
	return f;
}

/* The last control of F, or NULL */
static struct control *top_control(struct structure *s, const struct frame *f)
{
	return s->now.controls.n > f->controls ? &s->now.controls.items[s->now.controls.n - 1] : NULL;
}

static void push_control(struct structure *s, int kind, unsigned indent, int state)
{
	*vec_add(s->arena, &s->now.controls) = (struct control){ kind, indent, state };
}

/* ---- statements ---- */

static bool is_declaration(const struct structure *s, int kind)
{
	if (s->last == TOKEN_DOT || s->last == TOKEN_PRIVATE)
		return false;
	return kind == TOKEN_PROBE || kind == TOKEN_GLOBAL || kind == TOKEN_PRIVATE ||
	       (kind == TOKEN_FUNCTION && s->next != TOKEN_LPAREN);
}

static bool is_statement_word(int kind)
{
	switch (kind) {
	case TOKEN_IF: case TOKEN_ELSE: case TOKEN_FOR: case TOKEN_FOREACH: case TOKEN_WHILE: case TOKEN_BREAK:
	case TOKEN_CONTINUE: case TOKEN_NEXT: case TOKEN_RETURN: case TOKEN_DELETE: case TOKEN_TRY: case TOKEN_CATCH:
		return true;
	default:
		return false;
	}
}

static bool is_string(int kind)
{
	return kind == TOKEN_STRING || kind == TOKEN_ARG_STRING;
}

/* Can it only begin an operand? '(', '[', '-' may also continue one. */
static bool begins_operand(int kind)
{
	return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_AT || kind == TOKEN_ARG_TEXT ||
	       kind == TOKEN_NOT || kind == TOKEN_TILDE || kind == TOKEN_EMBEDDED || is_string(kind);
}

/* The '$' of @cast(x, "y")$ */
static bool is_suffix(const struct piece *p)
{
	return p->kind == TOKEN_NAME && p->text[0] == '$' && (p->size == 1 || (p->size == 2 && p->text[1] == '$'));
}

static bool begins_statement(const struct structure *s, const struct frame *f, const struct piece *p)
{
	int kind = p->kind;

	if (!f->started || is_declaration(s, kind))
		return true;
	if (f->region == GLOBAL)
		return kind == TOKEN_EMBEDDED || kind == TOKEN_AT || (kind == TOKEN_NAME && s->now.operand);
	if (f->region != PLAIN || s->last == TOKEN_DOT || s->last == TOKEN_ARROW)
		return false;
	if (is_statement_word(kind))
		return true;
	return s->now.operand && begins_operand(kind) && !is_suffix(p) && !(is_string(kind) && is_string(s->last));
}

/* The control that KIND, 'else' or 'catch', continues becomes the last one; NULL if there is none. */
static struct control *continued_control(struct structure *s, const struct frame *f, int kind)
{
	struct control *c;

	for (; (c = top_control(s, f)) && c->state == DONE; s->now.controls.n--)
		if ((kind == TOKEN_ELSE && c->kind == TOKEN_IF) || (kind == TOKEN_CATCH && c->kind == TOKEN_TRY))
			return c;
	return NULL;
}

/* The indentation of a statement that begins with KIND */
static unsigned statement_indent(struct structure *s, const struct frame *f, int kind, bool on_new_line)
{
	struct control *c = continued_control(s, f, kind);
	unsigned indent;

	if (c) {
		s->now.controls.n--;
		return c->indent;
	}
	c = top_control(s, f);
	if (!c)
		return f->indent;
	indent = c->indent + 1;
	c->state = DONE;
	if (kind == TOKEN_IF && s->last == TOKEN_ELSE && !on_new_line) {
		s->now.controls.n--;
		indent--;
	}
	return indent;
}

static enum region region_of(const struct piece *p)
{
	switch (p->kind) {
	case TOKEN_PROBE:
		return POINTS;
	case TOKEN_FUNCTION:
		return FUNCTION;
	case TOKEN_GLOBAL: case TOKEN_PRIVATE:
		return GLOBAL;
	case TOKEN_IF: case TOKEN_WHILE: case TOKEN_FOR: case TOKEN_FOREACH: case TOKEN_CATCH:
		return CONTROL;
	case TOKEN_AT:
		return p->size == strlen("@define") && memcmp(p->text, "@define", p->size) == 0 ? DEFINE : PLAIN;
	default:
		return PLAIN;
	}
}

static void begin_statement(struct structure *s, struct frame *f, struct piece *p)
{
	f->statement = statement_indent(s, f, p->kind, p->breaks);
	f->started = true;
	f->region = region_of(p);
	p->starts_statement = true;
	s->now.operand = s->now.prefix = false;
	if (f->region == CONTROL)
		push_control(s, p->kind, f->statement, AT_HEADER);
	if (p->kind != TOKEN_ELSE && p->kind != TOKEN_TRY)
		return;
	push_control(s, p->kind, f->statement, AT_BODY);
	f->started = false;
}

static void end_statement(struct structure *s, struct frame *f)
{
	struct control *c = top_control(s, f);

	if (c && c->state == AT_BODY)		/* an empty one */
		c->state = DONE;
	f->started = s->now.operand = s->now.prefix = false;
}

/* Is the next statement the body of a control? */
static bool has_open_body(struct structure *s, const struct frame *f)
{
	const struct control *c = f->kind == STATEMENTS ? top_control(s, f) : NULL;

	return c && c->state == AT_BODY;
}

/* The indentation of what is between statements: an empty one, a condition */
static unsigned body_indent(struct structure *s, const struct frame *f)
{
	return has_open_body(s, f) ? top_control(s, f)->indent + 1 : f->indent;
}

/* ---- conditions and macros ---- */

static struct state copy_state(struct structure *s)
{
	struct state copy = { .operand = s->now.operand, .prefix = s->now.prefix };

	vec_each(f, &s->now.frames)
		*vec_add(s->arena, &copy.frames) = *f;
	vec_each(c, &s->now.controls)
		*vec_add(s->arena, &copy.controls) = *c;
	return copy;
}

static void restore_state(struct structure *s, const struct condition *c)
{
	s->now = c->before;
	s->now = copy_state(s);
}

static void open_condition(struct structure *s, struct piece *p)
{
	struct frame *f = statement_frame(s);
	bool is_macro = top_frame(s) == f && f->started && f->region == DEFINE;
	bool ends = top_frame(s) == f && f->started && (f->region == PLAIN || f->region == GLOBAL) && s->now.operand &&
		    p->breaks;

	if (ends)
		end_statement(s, f);
	if (is_macro)
		p->indent = f->statement;
	else if (top_frame(s) == f && !f->started)
		p->indent = body_indent(s, f);
	else
		p->indent = f->statement + 1;
	*vec_add(s->arena, &s->conditions) = (struct condition){ is_macro, p->indent, copy_state(s) };
	push_frame(s, is_macro ? STATEMENTS : PARENS, p->indent + (p[1].breaks > 0));
	s->now.operand = false;
}

static void continue_condition(struct structure *s, struct piece *p)
{
	struct condition *c;

	if (!s->conditions.n)
		return;
	c = &s->conditions.items[s->conditions.n - 1];
	p->indent = c->indent;
	if (!c->is_macro)
		restore_state(s, c);
}

static void close_condition(struct structure *s, struct piece *p)
{
	struct condition *c;

	if (!s->conditions.n)
		return;
	c = &s->conditions.items[--s->conditions.n];
	p->indent = c->indent;
	p->closes_block = c->is_macro;
	if (!c->is_macro)
		return;
	restore_state(s, c);
	end_statement(s, statement_frame(s));
}

/* ---- brackets ---- */

static void open_parens(struct structure *s, int kind)
{
	struct frame *f = top_frame(s);
	bool is_header = kind == TOKEN_LPAREN && f->kind == STATEMENTS && f->started && f->region == CONTROL;

	push_frame(s, PARENS, 0)->is_header = is_header;
	s->now.operand = s->now.prefix = false;
}

static void close_parens(struct structure *s, struct piece *p)
{
	struct frame closed = *top_frame(s), *f;
	struct control *c;

	p->indent = statement_frame(s)->statement;
	s->now.operand = true;
	s->now.prefix = false;
	if (closed.kind == STATEMENTS)
		return;
	s->now.frames.n--;
	f = top_frame(s);
	c = closed.is_header && f->kind == STATEMENTS ? top_control(s, f) : NULL;
	if (!c)
		return;
	c->state = AT_BODY;
	f->started = s->now.operand = false;
}

static bool begins_alternatives(const struct structure *s, const struct frame *f)
{
	if (f->kind != STATEMENTS)
		return true;
	return f->started && f->region == POINTS &&
	       (s->last == TOKEN_DOT || s->last == TOKEN_PROBE || s->last == TOKEN_COMMA || s->last == TOKEN_ASSIGN ||
		s->last == TOKEN_ADD_ASSIGN);
}

static void open_brace(struct structure *s, struct piece *p)
{
	struct frame *f = top_frame(s);
	struct control *c = top_control(s, f);
	bool is_body = f->started && (f->region == POINTS || f->region == FUNCTION);

	if (begins_alternatives(s, f)) {
		push_frame(s, ALTERNATIVES, 0);
		return;
	}
	p->opens_block = true;
	if (is_body) {
		p->line = p->is_inline ? LINE_KEEP : LINE_BREAK;
		p->indent = f->statement;
	} else if (c && c->state != DONE) {
		c->state = DONE;
		p->line = LINE_JOIN;
		p->indent = c->indent;
	} else {
		if (!f->started)
			begin_statement(s, f, p);
		p->indent = f->statement;
	}
	f->started = s->now.operand = s->now.prefix = false;
	push_frame(s, STATEMENTS, p->indent + 1);
}

static void close_brace(struct structure *s, struct piece *p)
{
	size_t n = s->now.frames.n;

	if (n > 1 && top_frame(s)->kind == ALTERNATIVES) {
		s->now.frames.n--;
		s->now.operand = true;
		return;
	}
	while (n > 1 && s->now.frames.items[n - 1].kind != STATEMENTS)
		n--;
	p->closes_block = true;
	p->indent = s->now.frames.items[n - 1].indent;
	p->indent -= p->indent > 0;
	p->line = p->is_inline ? LINE_KEEP : LINE_BREAK;
	s->now.controls.n = s->now.frames.items[n - 1].controls;
	s->now.frames.n = n > 1 ? n - 1 : 1;
	end_statement(s, statement_frame(s));
}

/* ---- spaces ---- */

/* foreach (a+ in b), foreach (a in b @sum- limit 5) */
static bool is_sort_sign(const struct structure *s, int kind)
{
	return (kind == TOKEN_PLUS || kind == TOKEN_MINUS) && s->now.operand &&
	       (s->next == TOKEN_IN || s->next == TOKEN_LIMIT || s->next == TOKEN_RPAREN || s->next == TOKEN_RBRACKET ||
		s->next == TOKEN_COMMA || s->next == TOKEN_ASSIGN);
}

static bool is_step(int kind)
{
	return kind == TOKEN_INCREMENT || kind == TOKEN_DECREMENT;
}

static bool is_unary(const struct structure *s, int kind)
{
	if (kind == TOKEN_NOT || kind == TOKEN_TILDE)
		return true;
	return !s->now.operand && (kind == TOKEN_MINUS || kind == TOKEN_PLUS || kind == TOKEN_AND || is_step(kind));
}

static bool is_assign(int kind)
{
	return kind == TOKEN_ASSIGN || kind == TOKEN_ADD_ASSIGN;
}

/* Without a space the lexer would read another token. */
static bool would_merge(const struct piece *a, const struct piece *b)
{
	char text[5] = { 0 };

	if (a->size > 3 || (a->kind < TOKEN_LPAREN && a->kind != TOKEN_ARG_TEXT && a->kind != TOKEN_ARG_STRING))
		return false;
	memcpy(text, a->text, a->size);
	text[a->size] = b->text[0];
	if (str_starts(text, "//") || str_starts(text, "/*") || str_starts(text, "%{"))
		return true;
	for (int kind = TOKEN_LPAREN; kind < TOKEN_COUNT; kind++)
		if (str_equal(token_text(kind), text))
			return true;
	return false;
}

static bool is_condition(int kind)
{
	return kind == TOKEN_IF_OPEN || kind == TOKEN_IF_THEN || kind == TOKEN_IF_ELSE || kind == TOKEN_IF_CLOSE;
}

/* In a probe's points white space separates words, so it stays as it is, except around punctuation. */
static bool space_in_points(const struct structure *s, const struct piece *p)
{
	if (is_condition(s->last))
		return p->gap_size;
	if (p->kind == TOKEN_COMMA || p->kind == TOKEN_DOT || s->last == TOKEN_DOT)
		return false;
	if (p->kind == TOKEN_LPAREN)
		return s->last == TOKEN_IF;
	if (s->last == TOKEN_COMMA || s->last == TOKEN_PROBE || is_assign(s->last) || is_assign(p->kind) ||
	    p->opens_block)
		return true;
	return p->gap_size;
}

static bool space_elsewhere(const struct structure *s, const struct piece *p)
{
	int kind = p->kind;

	if (is_condition(s->last) && s->last != TOKEN_IF_CLOSE)
		return true;
	if (s->last == TOKEN_LPAREN || s->last == TOKEN_LBRACKET || kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET ||
	    kind == TOKEN_COMMA || kind == TOKEN_SEMICOLON)
		return false;
	if (s->last == TOKEN_COMMA || s->last == TOKEN_SEMICOLON || is_condition(kind) || s->last == TOKEN_IF_CLOSE)
		return true;
	if (s->last == TOKEN_ARROW || kind == TOKEN_ARROW || s->now.prefix)
		return false;
	if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET)
		return !s->now.operand;
	return !(s->now.operand && is_step(kind)) && !is_sort_sign(s, kind);
}

/* A macro may stand for a part of a probe's point as well as for an expression: its dots stay as they are written. */
static bool is_dot_of_macro(const struct structure *s, const struct piece *p)
{
	for (size_t i = 0; i < s->conditions.n; i++)
		if (s->conditions.items[i].is_macro)
			return p->kind == TOKEN_DOT || s->last == TOKEN_DOT;
	return false;
}

static bool space_before(struct structure *s, const struct piece *p)
{
	const struct frame *f = top_frame(s);
	enum region region = f->kind == STATEMENTS && f->started ? f->region : PLAIN;

	if (s->last == TOKEN_END)
		return false;
	if (f->kind == ALTERNATIVES || is_dot_of_macro(s, p))
		return p->gap_size;
	if (p->kind == TOKEN_SEMICOLON && has_open_body(s, f))
		return true;
	if (region == POINTS && !p->starts_statement)
		return space_in_points(s, p);
	if (statement_frame(s)->region == FUNCTION && (p->kind == TOKEN_COLON || s->last == TOKEN_COLON))
		return false;
	if ((region == FUNCTION && p->kind == TOKEN_LPAREN) || is_suffix(p))
		return p->gap_size;
	if (region == GLOBAL && (p->kind == TOKEN_MOD || s->last == TOKEN_MOD))
		return false;
	if (region == DEFINE && p->kind == TOKEN_LPAREN)
		return false;
	return space_elsewhere(s, p);
}

/* ---- the walk ---- */

static bool is_member(const struct structure *s)
{
	return s->last == TOKEN_ARROW || s->last == TOKEN_DOT;
}

static bool completes_operand(const struct structure *s, int kind)
{
	if (kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_AT || kind == TOKEN_ARG_TEXT ||
	    kind == TOKEN_EMBEDDED || is_string(kind) || kind == TOKEN_LONG_TYPE || kind == TOKEN_STRING_TYPE ||
	    kind == TOKEN_NEXT || kind == TOKEN_BREAK || kind == TOKEN_CONTINUE)
		return true;
	if (is_step(kind))
		return s->now.operand;
	return is_sort_sign(s, kind) || (kind < TOKEN_LPAREN && is_member(s));
}

static void take_plain(struct structure *s, struct frame *f, struct piece *p)
{
	bool complete = completes_operand(s, p->kind);

	s->now.prefix = is_unary(s, p->kind) && !complete;
	s->now.operand = complete;
	if (p->kind == TOKEN_FUNCTION && s->last == TOKEN_PRIVATE)
		f->region = FUNCTION;
	if (p->kind == TOKEN_EMBEDDED && f->region == FUNCTION && f == top_frame(s))
		end_statement(s, f);
}

/* Moves past P. */
static void take(struct structure *s, struct piece *p)
{
	struct frame *f = statement_frame(s);

	switch (p->kind) {
	case TOKEN_LPAREN: case TOKEN_LBRACKET:
		open_parens(s, p->kind);
		break;
	case TOKEN_RPAREN: case TOKEN_RBRACKET:
		close_parens(s, p);
		break;
	case TOKEN_LBRACE:
		open_brace(s, p);
		break;
	case TOKEN_RBRACE:
		close_brace(s, p);
		break;
	case TOKEN_IF_OPEN:
		open_condition(s, p);
		break;
	case TOKEN_IF_THEN: case TOKEN_IF_ELSE:
		continue_condition(s, p);
		break;
	case TOKEN_IF_CLOSE:
		close_condition(s, p);
		break;
	case TOKEN_SEMICOLON:
		if (f == top_frame(s))
			end_statement(s, f);
		s->now.operand = s->now.prefix = false;
		break;
	default:
		take_plain(s, f, p);
	}
}

static bool is_bracket(int kind)
{
	return kind == TOKEN_LBRACE || kind == TOKEN_RBRACE || kind == TOKEN_SEMICOLON || is_condition(kind);
}

static void arrange(struct structure *s, struct piece *p)
{
	struct frame *f = statement_frame(s);
	bool after_block = s->last == TOKEN_RBRACE && s->last_piece->closes_block && !s->last_piece->is_inline;

	if (f == top_frame(s) && !is_bracket(p->kind) && begins_statement(s, f, p))
		begin_statement(s, f, p);
	p->indent = f->started || p->starts_statement ? f->statement : body_indent(s, f);
	if (f->started && !p->starts_statement && !(f->region == FUNCTION && p->kind == TOKEN_EMBEDDED))
		p->indent++;
	for (struct frame *g = top_frame(s); g->kind != STATEMENTS; g--)
		p->depth++;
	if (s->last == TOKEN_LBRACE && s->last_piece->opens_block && !s->last_piece->is_inline)
		p->line = LINE_BREAK;
	else if (after_block && (p->kind == TOKEN_ELSE || p->kind == TOKEN_CATCH))
		p->line = LINE_JOIN;
	else if (after_block && p->starts_statement && p->kind != TOKEN_COMMA)
		p->line = LINE_BREAK;
	if (p->kind == TOKEN_LBRACE)
		p->opens_block = !begins_alternatives(s, top_frame(s));
	p->space = space_before(s, p) || (s->last_piece && would_merge(s->last_piece, p));
	take(s, p);
	s->last = p->kind;
	s->last_piece = p;
}

/* ---- before and after ---- */

/* Marks the pairs of braces that are on one line. */
static void mark_inline(struct arena *a, piece_list *pieces)
{
	VEC(struct { size_t at; unsigned line; }) open = { 0 };
	unsigned line = 0;

	for (size_t i = 0; i < pieces->n; i++) {
		struct piece *p = &pieces->items[i];

		line += p->breaks;
		if (p->kind == TOKEN_LBRACE) {
			__typeof__(open.items) o = vec_add(a, &open);

			o->at = i;
			o->line = line;
		} else if (p->kind == TOKEN_RBRACE && open.n) {
			open.n--;
			p->is_inline = open.items[open.n].line == line;
			pieces->items[open.items[open.n].at].is_inline = p->is_inline;
		}
		line += memchr(p->text, '\n', p->size) != NULL;
	}
}

static int next_token(const piece_list *pieces, size_t i)
{
	while (++i < pieces->n)
		if (pieces->items[i].kind != PIECE_COMMENT)
			return pieces->items[i].kind;
	return TOKEN_END;
}

/* A comment is indented like the token after it, or like the statements of the block that ends there. */
static void arrange_comments(piece_list *pieces)
{
	const struct piece *next = NULL;

	for (size_t i = pieces->n; i-- > 0;) {
		struct piece *p = &pieces->items[i];

		if (p->kind != PIECE_COMMENT)
			next = p;
		else if (next->kind != TOKEN_END)
			p->indent = next->indent + next->closes_block;
	}
}

void pieces_arrange(struct arena *a, piece_list *pieces)
{
	struct structure s = { .arena = a, .last = TOKEN_END };

	mark_inline(a, pieces);
	push_frame(&s, STATEMENTS, 0);
	for (size_t i = 0; i < pieces->n; i++) {
		struct piece *p = &pieces->items[i];

		if (p->kind == PIECE_COMMENT || p->kind == TOKEN_END)
			continue;
		s.next = next_token(pieces, i);
		arrange(&s, p);
	}
	arrange_comments(pieces);
}
