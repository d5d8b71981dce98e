/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements. They need no separator; a ';' right after a statement belongs to it, any other ';' is an
 * empty statement. */
#include "parse_state.h"

#include "source/diag.h"

static struct stmt *parse_stmt(struct parser *p);

static void accept_semicolon(struct parser *p)
{
	parser_accept(p, TOKEN_SEMICOLON);
}

static struct stmt *start_stmt(struct parser *p, enum stmt_kind kind)
{
	struct stmt *s = stmt_make(p->arena, kind, p->token.span);

	parser_advance(p);
	return s;
}

static struct stmt *parse_block(struct parser *p)
{
	struct stmt *s = stmt_make(p->arena, STMT_BLOCK, p->token.span);
	struct span outer = p->block;

	p->block = s->span;
	parser_expect(p, TOKEN_LBRACE);
	while (!parser_at(p, TOKEN_RBRACE) && !p->failed)
		*vec_add(p->arena, &s->block) = parse_stmt(p);
	parser_accept(p, TOKEN_RBRACE);
	p->block = outer;
	s->span = parser_span(p, s->span);
	return s;
}

static struct expr *parse_condition(struct parser *p)
{
	struct expr *e;

	parser_expect(p, TOKEN_LPAREN);
	e = parse_expr(p);
	parser_expect(p, TOKEN_RPAREN);
	return e;
}

static struct stmt *parse_loop_body(struct parser *p)
{
	struct stmt *s;

	p->loops++;
	s = parse_stmt(p);
	p->loops--;
	return s;
}

/* A second pair of parentheses marks an assignment as intended. */
static struct expr *parse_if_condition(struct parser *p)
{
	bool is_meant = parser_ahead(p)->kind == TOKEN_LPAREN;
	struct expr *e = parse_condition(p);

	if (!p->failed && e->kind == EXPR_ASSIGN && e->assign.op == OP_NONE && !is_meant && !e->span.source->is_library)
		diag_warn(e->span, "this assigns to '%s': write '==' to compare, or (( )) if the assignment is intended",
			  span_text(p->arena, e->assign.left->span));
	return e;
}

/* 'else' may follow a ';' that ends the statement. */
static bool accept_else(struct parser *p)
{
	if (parser_at(p, TOKEN_SEMICOLON) && p->last.kind != TOKEN_SEMICOLON &&
	    parser_ahead(p)->kind == TOKEN_ELSE)
		parser_advance(p);
	return parser_accept(p, TOKEN_ELSE);
}

/* if (a) b else if (c) d else e: a loop, because such chains can be long. */
static struct stmt *parse_if(struct parser *p)
{
	struct stmt *first = NULL, **place = &first;

	do {
		struct stmt *s = start_stmt(p, STMT_IF);

		*place = s;
		s->if_.condition = parse_if_condition(p);
		s->if_.yes = parse_stmt(p);
		s->span = parser_span(p, s->span);
		place = &s->if_.no;
		if (!accept_else(p))
			return first;
		if (++p->else_ifs == MOST_ELSE_IFS + 1 && !p->failed) {
			diag_error(s->span, "more than %d 'else' in one body", MOST_ELSE_IFS);
			parser_fail(p, s->span);
		}
	} while (parser_at(p, TOKEN_IF));
	*place = parse_stmt(p);
	return first;
}

static struct stmt *parse_while(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_WHILE);

	s->loop.condition = parse_condition(p);
	s->loop.body = parse_loop_body(p);
	return s;
}

static struct expr *parse_optional(struct parser *p, enum token_kind end)
{
	struct expr *e = parser_at(p, end) ? NULL : parse_expr(p);

	parser_expect(p, end);
	return e;
}

static struct expr *parse_for_start(struct parser *p)
{
	struct expr *e = parser_at(p, TOKEN_SEMICOLON) ? NULL : parse_expr(p);
	struct span at = p->token.span;
	bool is_membership = e && e->kind == EXPR_IN && parser_at(p, TOKEN_RPAREN) && !p->failed;

	parser_expect(p, TOKEN_SEMICOLON);
	if (is_membership)
		diag_note(at, "to loop over an array, write 'foreach (%s)'", span_text(p->arena, e->span));
	return e;
}

static struct stmt *parse_for(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_FOR);

	parser_expect(p, TOKEN_LPAREN);
	s->loop.start = parse_for_start(p);
	s->loop.condition = parse_optional(p, TOKEN_SEMICOLON);
	s->loop.step = parse_optional(p, TOKEN_RPAREN);
	s->loop.body = parse_loop_body(p);
	return s;
}

/* ---- foreach ---- */

/* + or - after sort key KEY; at most one in a foreach. */
static void parse_sort(struct parser *p, struct foreach_stmt *f, int key)
{
	struct span at = p->token.span;
	int direction = parser_at(p, TOKEN_PLUS) ? 1 : parser_at(p, TOKEN_MINUS) ? -1 : 0;

	if (!direction)
		return;
	parser_advance(p);
	if (f->direction) {
		diag_error(at, "a foreach can be sorted by only one key or value");
		parser_fail(p, at);
		return;
	}
	f->direction = direction;
	f->sort_key = key;
}

static void parse_loop_key(struct parser *p, struct foreach_stmt *f)
{
	*vec_add(p->arena, &f->keys) = parse_name(p, "the name of a variable");
	parse_sort(p, f, (int)f->keys.n);
}

static void parse_loop_keys(struct parser *p, struct foreach_stmt *f)
{
	if (!parser_accept(p, TOKEN_LBRACKET)) {
		parse_loop_key(p, f);
		return;
	}
	do
		parse_loop_key(p, f);
	while (parser_accept(p, TOKEN_COMMA));
	if (!parser_accept(p, TOKEN_RBRACKET))
		parser_expected(p, "',' or ']'");
}

/* After the array: a direction, or @op and a direction. */
static void parse_value_sort(struct parser *p, struct foreach_stmt *f)
{
	enum stat_op op = stat_op_of(&p->token);
	struct token t = p->token;

	if (op == STAT_NONE) {
		parse_sort(p, f, 0);
		return;
	}
	if (op > STAT_AVG) {
		diag_error(t.span, "cannot sort by @%s: expected @count, @sum, @min, @max or @avg",
			   t.text);
		parser_fail(p, t.span);
		return;
	}
	parser_advance(p);
	f->sort_op = op;
	if (!parser_at(p, TOKEN_PLUS) && !parser_at(p, TOKEN_MINUS))
		parser_expected(p, "'+' or '-' to sort by");
	parse_sort(p, f, 0);
}

static void parse_loop_array(struct parser *p, struct foreach_stmt *f)
{
	if (parser_at_histogram(p))
		f->array = parse_stat(p, true);
	else
		f->array = parse_name(p, "the name of an array");
	if (parser_accept(p, TOKEN_LBRACKET))
		parse_keys(p, &f->slice, parse_expr);
}

/* A slice has as many keys as the loop. */
static void check_slice(struct parser *p, const struct foreach_stmt *f)
{
	if (!f->slice.n || f->slice.n == f->keys.n || p->failed)
		return;
	diag_error(f->array->span, "the loop has %zu key%s, but the slice in [] has %zu",
		   f->keys.n, f->keys.n == 1 ? "" : "s", f->slice.n);
	parser_fail(p, f->array->span);
}

static void check_histogram(struct parser *p, const struct foreach_stmt *f)
{
	if (f->array->kind != EXPR_HIST || p->failed)
		return;
	if (f->direction && !f->sort_key)
		diag_error(f->array->span, "histogram buckets are visited in the order of their numbers and "
					   "cannot be sorted by count");
	else if (f->slice.n)
		diag_error(f->array->span, "a foreach over a histogram visits all buckets and cannot have a slice in []");
	else
		return;
	parser_fail(p, f->array->span);
}

static struct stmt *parse_foreach(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_FOREACH);
	struct foreach_stmt *f = &s->foreach;

	f->sort_key = -1;
	f->sort_op = STAT_COUNT;
	parser_expect(p, TOKEN_LPAREN);
	parse_loop_keys(p, f);
	if (parser_at(p, TOKEN_ASSIGN) && f->keys.n == 1) {
		parser_advance(p);
		f->value = f->keys.items[0];
		f->keys.n = 0;
		if (f->sort_key == 1)
			f->sort_key = 0;
		parse_loop_keys(p, f);
	}
	if (!parser_accept(p, TOKEN_IN))
		parser_expected(p, "'in' and an array");
	parse_loop_array(p, f);
	parse_value_sort(p, f);
	check_slice(p, f);
	check_histogram(p, f);
	if (parser_accept(p, TOKEN_LIMIT))
		f->limit = parse_expr(p);
	if (!parser_accept(p, TOKEN_RPAREN))
		parser_expected(p, f->limit ? "')'" : "')', 'limit', '+' or '-'");
	f->body = parse_loop_body(p);
	return s;
}

/* ---- the others ---- */

static struct stmt *parse_try(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_TRY);

	s->try_.body = parse_block(p);
	if (!parser_accept(p, TOKEN_CATCH))
		parser_expected(p, "'catch' after the block of 'try'");
	if (parser_accept(p, TOKEN_LPAREN)) {
		s->try_.message = parse_name(p, "a variable for the message");
		parser_expect(p, TOKEN_RPAREN);
	}
	s->try_.handler = parse_block(p);
	return s;
}

static struct stmt *parse_delete(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_DELETE);

	s->expr = parse_expr(p);
	check_place(p, s->expr, "delete", false);
	accept_semicolon(p);
	return s;
}

static struct stmt *parse_return(struct parser *p)
{
	struct stmt *s = start_stmt(p, STMT_RETURN);

	if (!p->in_function) {
		diag_error(s->span, "'return' is allowed only in functions: use 'next' to leave a probe handler");
		parser_fail(p, s->span);
		return s;
	}
	if (!parser_at(p, TOKEN_SEMICOLON) && !parser_at(p, TOKEN_RBRACE))
		s->expr = parse_expr(p);
	accept_semicolon(p);
	return s;
}

static struct stmt *parse_jump(struct parser *p, enum stmt_kind kind)
{
	struct stmt *s = start_stmt(p, kind);

	if (kind != STMT_NEXT && !p->loops) {
		diag_error(s->span, "'%s' outside of a loop",
			   kind == STMT_BREAK ? "break" : "continue");
		parser_fail(p, s->span);
	}
	accept_semicolon(p);
	return s;
}

static struct stmt *parse_expr_stmt(struct parser *p)
{
	struct stmt *s = stmt_make(p->arena, STMT_EXPR, p->token.span);

	s->expr = parse_expr(p);
	s->span = parser_span(p, s->span);
	accept_semicolon(p);
	return s;
}

static bool starts_expr(enum token_kind k)
{
	switch (k) {
	case TOKEN_NAME: case TOKEN_NUMBER: case TOKEN_STRING: case TOKEN_AT: case TOKEN_EMBEDDED:
	case TOKEN_LPAREN: case TOKEN_LBRACKET: case TOKEN_PLUS: case TOKEN_MINUS: case TOKEN_NOT:
	case TOKEN_TILDE: case TOKEN_AND: case TOKEN_INCREMENT: case TOKEN_DECREMENT:
		return true;
	default:
		return false;
	}
}

static bool is_comparison(enum token_kind k)
{
	return k == TOKEN_EQ || k == TOKEN_NE || k == TOKEN_LT || k == TOKEN_LE || k == TOKEN_GT ||
	       k == TOKEN_GE || k == TOKEN_MATCH || k == TOKEN_NOT_MATCH || k == TOKEN_IN;
}

static bool starts_declaration(enum token_kind k)
{
	return k == TOKEN_PROBE || k == TOKEN_FUNCTION || k == TOKEN_GLOBAL || k == TOKEN_PRIVATE;
}

static struct stmt *parse_other(struct parser *p)
{
	struct token t = p->token;

	if (starts_expr(t.kind))
		return parse_expr_stmt(p);
	if (!p->failed) {
		parser_expected(p, "a statement or '}'");
		if (t.kind == TOKEN_END || starts_declaration(t.kind))
			diag_note(p->block, "the block that begins here is not closed");
		else if (is_comparison(t.kind))
			diag_note(t.span, "'in', '=~' and '!~' do not chain with comparisons: use "
					  "parentheses");
	}
	return stmt_make(p->arena, STMT_EMPTY, t.span);
}

static struct stmt *parse_kind(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_SEMICOLON:
		return start_stmt(p, STMT_EMPTY);
	case TOKEN_LBRACE:
		return parse_block(p);
	case TOKEN_IF:
		return parse_if(p);
	case TOKEN_WHILE:
		return parse_while(p);
	case TOKEN_FOR:
		return parse_for(p);
	case TOKEN_FOREACH:
		return parse_foreach(p);
	case TOKEN_RETURN:
		return parse_return(p);
	case TOKEN_BREAK:
		return parse_jump(p, STMT_BREAK);
	case TOKEN_CONTINUE:
		return parse_jump(p, STMT_CONTINUE);
	case TOKEN_NEXT:
		return parse_jump(p, STMT_NEXT);
	case TOKEN_TRY:
		return parse_try(p);
	case TOKEN_DELETE:
		return parse_delete(p);
	default:
		return parse_other(p);
	}
}

static struct stmt *parse_stmt(struct parser *p)
{
	struct span start = p->token.span;
	struct stmt *s;

	parser_enter(p);
	s = parse_kind(p);
	parser_leave(p);
	if (s->kind != STMT_EXPR)
		s->span = parser_span(p, start);
	return s;
}

struct stmt *parse_body(struct parser *p, bool in_function)
{
	p->in_function = in_function;
	p->else_ifs = 0;
	p->loops = 0;
	return parse_block(p);
}
