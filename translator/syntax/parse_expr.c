/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions, from lowest to highest precedence:
 *
 *	=  += -= ... .=  <<<	right
 *	? :			right
 *	||   &&   |   ^   &	left
 *	in			once
 *	== != < <= > >=		left, one level; =~ !~ once, followed by a literal
 *	<< >> >>>   .   + -   * / %	left, four levels
 *	- + ! ~ &		prefix
 *	++ --			prefix or postfix
 *	[ ] ->			postfix
 *
 * One loop over a table handles all levels of binary operators; it does not recurse for chains of them. */
#include "parse_state.h"

#include <string.h>

#include "source/diag.h"
#include "base/intern.h"
#include "base/util.h"

enum { LEVEL_IN = 6, LEVEL_COMPARE, LEVEL_SHIFT, LEVEL_TIGHTEST = 11 };

struct infix {
	unsigned level;			/* 0: no such operator */
	enum op op;
};

static const struct infix infixes[TOKEN_COUNT] = {
	[TOKEN_LOR] = { 1, OP_LOR },
	[TOKEN_LAND] = { 2, OP_LAND },
	[TOKEN_OR] = { 3, OP_OR },
	[TOKEN_XOR] = { 4, OP_XOR },
	[TOKEN_AND] = { 5, OP_AND },
	[TOKEN_IN] = { LEVEL_IN, OP_NONE },
	[TOKEN_EQ] = { LEVEL_COMPARE, OP_EQ },
	[TOKEN_NE] = { LEVEL_COMPARE, OP_NE },
	[TOKEN_LT] = { LEVEL_COMPARE, OP_LT },
	[TOKEN_LE] = { LEVEL_COMPARE, OP_LE },
	[TOKEN_GT] = { LEVEL_COMPARE, OP_GT },
	[TOKEN_GE] = { LEVEL_COMPARE, OP_GE },
	[TOKEN_MATCH] = { LEVEL_COMPARE, OP_NONE },
	[TOKEN_NOT_MATCH] = { LEVEL_COMPARE, OP_NONE },
	[TOKEN_SHL] = { LEVEL_SHIFT, OP_SHL },
	[TOKEN_SHR] = { LEVEL_SHIFT, OP_SHR },
	[TOKEN_USHR] = { LEVEL_SHIFT, OP_USHR },
	[TOKEN_DOT] = { 9, OP_CONCAT },
	[TOKEN_PLUS] = { 10, OP_ADD },
	[TOKEN_MINUS] = { 10, OP_SUB },
	[TOKEN_STAR] = { LEVEL_TIGHTEST, OP_MUL },
	[TOKEN_SLASH] = { LEVEL_TIGHTEST, OP_DIV },
	[TOKEN_MOD] = { LEVEL_TIGHTEST, OP_MOD },
};

struct assignment {
	enum token_kind token;
	enum op op;
};

static const struct assignment assignments[] = {
	{ TOKEN_ASSIGN, OP_NONE },	{ TOKEN_ADD_ASSIGN, OP_ADD },
	{ TOKEN_SUB_ASSIGN, OP_SUB },	{ TOKEN_MUL_ASSIGN, OP_MUL },
	{ TOKEN_DIV_ASSIGN, OP_DIV },	{ TOKEN_MOD_ASSIGN, OP_MOD },
	{ TOKEN_SHL_ASSIGN, OP_SHL },	{ TOKEN_SHR_ASSIGN, OP_SHR },
	{ TOKEN_AND_ASSIGN, OP_AND },	{ TOKEN_XOR_ASSIGN, OP_XOR },
	{ TOKEN_OR_ASSIGN, OP_OR },	{ TOKEN_CONCAT_ASSIGN, OP_CONCAT },
	{ TOKEN_STAT_ADD, OP_STAT_ADD },
};

static struct expr *parse_binary(struct parser *p, unsigned loosest);

/* Counts the operators of this expression: the tree must not be too deep for later stages. */
static void count_term(struct parser *p, struct span at)
{
	if (++p->terms != MOST_TERMS + 1)
		return;
	if (!p->failed)
		diag_error(at, "expression has more than %d operators: split it", MOST_TERMS);
	parser_fail(p, at);
}

/* ---- postfix: [ ] -> ---- */

static bool is_pretty(const component_list *list)
{
	return list->n && list->items[list->n - 1].kind == COMPONENT_PRETTY;
}

/* "name$$" is two components: the member and the request to print it. */
static void add_member(struct parser *p, component_list *list, struct token t)
{
	size_t n = strlen(t.text), dollars = 0;

	while (dollars < n && t.text[n - dollars - 1] == '$')
		dollars++;
	if (dollars > 2) {
		diag_error(t.span, "expected a name, '$' or '$$', found '%s'", t.text);
		parser_fail(p, t.span);
		return;
	}
	if (n > dollars)
		*vec_add(p->arena, list) = (struct component){
			.kind = COMPONENT_MEMBER, .span = t.span,
			.name = intern(p->strings, t.text, n - dollars),
		};
	if (dollars)
		*vec_add(p->arena, list) = (struct component){
			.kind = COMPONENT_PRETTY, .span = t.span, .depth = (unsigned)dollars,
		};
}

static bool is_member(const struct token *t)
{
	return t->kind == TOKEN_NAME ||
	       (t->kind >= TOKEN_PROBE && t->kind <= TOKEN_LONG_TYPE);
}

/* A lone $ or $$. */
static bool at_dollars(const struct parser *p)
{
	return parser_at(p, TOKEN_NAME) && p->token.text[strspn(p->token.text, "$")] == '\0';
}

static void parse_component(struct parser *p, component_list *list)
{
	struct token t = p->token;

	if (is_pretty(list)) {
		diag_error(t.span, "nothing may follow '$', which prints the whole value");
		parser_fail(p, t.span);
		return;
	}
	if (at_dollars(p)) {
		add_member(p, list, t);
		parser_advance(p);
		return;
	}
	parser_advance(p);
	if (t.kind == TOKEN_LBRACKET) {
		struct expr *index = parse_expr(p);

		parser_expect(p, TOKEN_RBRACKET);
		*vec_add(p->arena, list) = (struct component){
			.kind = COMPONENT_INDEX, .span = parser_span(p, t.span), .index = index,
		};
		return;
	}
	if (!is_member(&p->token)) {
		parser_expected(p, "the name of a member after '->'");
		return;
	}
	add_member(p, list, p->token);
	parser_advance(p);
}

static bool at_component(const struct parser *p)
{
	return parser_at(p, TOKEN_LBRACKET) || parser_at(p, TOKEN_ARROW) || at_dollars(p);
}

static struct expr *parse_index(struct parser *p, struct expr *array)
{
	struct expr *e = expr_make(p->arena, EXPR_INDEX, array->span);

	parser_advance(p);
	e->index.array = array;
	parse_keys(p, &e->index.keys, parse_expr);
	e->span = parser_span(p, array->span);
	return e;
}

static struct expr *parse_postfix(struct parser *p)
{
	bool is_word = parser_at(p, TOKEN_NAME);
	struct expr *e = parse_primary(p);
	component_list *list;

	/* x[1] is an element of the array x; (x)[1] dereferences the pointer x. */
	if (is_word && e->kind == EXPR_NAME && parser_at(p, TOKEN_LBRACKET))
		e = parse_index(p, e);
	if (e->kind == EXPR_TARGET) {
		list = &e->target.components;
	} else if (at_component(p)) {
		struct expr *base = e;

		e = expr_make(p->arena, EXPR_ARROW, base->span);
		e->arrow.base = base;
		list = &e->arrow.components;
	} else {
		return e;
	}
	while (at_component(p))
		parse_component(p, list);
	e->span = parser_span(p, e->span);
	return e;
}

/* ---- prefix and postfix: ++ -- - + ! ~ & ---- */

void check_place(struct parser *p, const struct expr *e, const char *operation, bool target_too)
{
	bool fits = e->kind == EXPR_NAME || e->kind == EXPR_INDEX;

	if (target_too && e->kind == EXPR_TARGET)
		fits = !is_pretty(&e->target.components);
	if (target_too && e->kind == EXPR_ARROW)
		fits = !is_pretty(&e->arrow.components);
	if (fits || p->failed)
		return;
	diag_error(e->span, "cannot %s this: expected a variable%s", operation,
		   target_too ? ", an array element or a target variable" : " or an array element");
	parser_fail(p, e->span);
}

static struct expr *make_step(struct parser *p, struct expr *operand, struct token t, bool before)
{
	struct span at = before ? parser_span(p, t.span) : parser_span(p, operand->span);
	struct expr *e = expr_make(p->arena, EXPR_STEP, at);

	check_place(p, operand, t.kind == TOKEN_INCREMENT ? "increment" : "decrement", true);
	e->step.operand = operand;
	e->step.delta = t.kind == TOKEN_INCREMENT ? 1 : -1;
	e->step.before = before;
	return e;
}

static struct expr *parse_step(struct parser *p)
{
	struct token t = p->token;
	struct expr *e;

	if (parser_accept(p, TOKEN_INCREMENT) || parser_accept(p, TOKEN_DECREMENT))
		return make_step(p, parse_postfix(p), t, true);
	e = parse_postfix(p);
	t = p->token;
	if (parser_accept(p, TOKEN_INCREMENT) || parser_accept(p, TOKEN_DECREMENT))
		return make_step(p, e, t, false);
	return e;
}

/* @choose_defined expands to &(a ? $b : 0); infer decides which branch is used. */
static bool mark_address(struct expr *e)
{
	switch (e->kind) {
	case EXPR_TARGET:
		e->target.address = true;
		return true;
	case EXPR_ARROW:
		e->arrow.address = true;
		return true;
	case EXPR_INDEX:
		return true;
	case EXPR_TERNARY:
		mark_address(e->ternary.yes);
		mark_address(e->ternary.no);
		return true;
	default:
		return false;
	}
}

static struct expr *parse_address(struct parser *p)
{
	struct span start = p->token.span;
	struct expr *e = expr_make(p->arena, EXPR_ADDRESS, start), *operand;

	parser_advance(p);
	operand = parse_postfix(p);
	/* SystemTap's macro of that name returns the structure; this operator returns its address */
	if (operand->kind == EXPR_TYPE_OP && str_equal(operand->type_op.op, "container_of"))
		return operand;
	if (!p->failed && !mark_address(operand)) {
		diag_error(operand->span, "expected a target variable or a member after '&'");
		parser_fail(p, operand->span);
	}
	e->unary.operand = operand;
	e->span = parser_span(p, start);
	return e;
}

static struct expr *parse_unary(struct parser *p)
{
	struct span start = p->token.span;
	enum op op = parser_at(p, TOKEN_MINUS) ? OP_NEG : parser_at(p, TOKEN_PLUS) ? OP_PLUS :
		     parser_at(p, TOKEN_NOT) ? OP_NOT : parser_at(p, TOKEN_TILDE) ? OP_BITNOT :
		     OP_NONE;
	struct expr *e;

	if (parser_at(p, TOKEN_AND))
		return parse_address(p);
	if (op == OP_NONE)
		return parse_step(p);
	e = expr_make(p->arena, EXPR_UNARY, start);
	parser_advance(p);
	e->unary.op = op;
	parser_enter(p);
	e->unary.operand = parse_unary(p);
	parser_leave(p);
	e->span = parser_span(p, start);
	return e;
}

/* ---- binary operators ---- */

void parse_keys(struct parser *p, expr_list *keys, struct expr *(*parse)(struct parser *))
{
	enum { MOST = sizeof(((struct variable *)0)->key_types) / sizeof(enum type) };
	struct span start = p->token.span;

	do {
		if (parser_accept(p, TOKEN_STAR))
			*vec_add(p->arena, keys) = NULL;
		else
			*vec_add(p->arena, keys) = parse(p);
	} while (parser_accept(p, TOKEN_COMMA));
	if (keys->n > MOST && !p->failed) {
		diag_error(parser_span(p, start), "an array has at most %d keys, not %zu", MOST,
			   keys->n);
		parser_fail(p, start);
	}
	if (!parser_accept(p, TOKEN_RBRACKET))
		parser_expected(p, "',' or ']'");
}

/* Up to and including comparisons. */
static struct expr *parse_operand(struct parser *p)
{
	return parse_binary(p, LEVEL_COMPARE);
}

/* n in @hist_log(x): E's key is the number of a bucket. */
static void parse_in_histogram(struct parser *p, struct expr *e)
{
	struct expr *bucket = e->in.keys.n ? e->in.keys.items[0] : NULL, *hist = parse_stat(p, true);

	if ((e->in.keys.n != 1 || !bucket) && !p->failed) {
		diag_error(hist->span, "a histogram bucket has one number: write 'n in @%s(...)'",
			   stat_op_name(hist->stat.op));
		parser_fail(p, hist->span);
	}
	e->kind = EXPR_HIST_INDEX;
	e->hist_index.hist = hist;
	e->hist_index.bucket = bucket;
	e->hist_index.is_in = true;
}

static void parse_in_array(struct parser *p, struct expr *e)
{
	struct span start = e->span;

	if (parser_at_histogram(p))
		parse_in_histogram(p, e);
	else
		e->in.array = parse_name(p, "the name of an array after 'in'");
	e->span = parser_span(p, start);
}

/* [a, *] in x */
static struct expr *parse_tuple_in(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_IN, p->token.span);

	parser_advance(p);
	parse_keys(p, &e->in.keys, parse_operand);
	if (!parser_accept(p, TOKEN_IN))
		parser_expected(p, "'in' after the keys");
	parse_in_array(p, e);
	return e;
}

static struct expr *make_in(struct parser *p, struct expr *key)
{
	struct expr *e = expr_make(p->arena, EXPR_IN, key->span);

	*vec_add(p->arena, &e->in.keys) = key;
	parse_in_array(p, e);
	return e;
}

static struct expr *make_match(struct parser *p, struct expr *subject, bool negated)
{
	struct expr *e = expr_make(p->arena, EXPR_MATCH, subject->span);
	struct token pattern = parser_string(p, "a regular expression as a string");

	e->match.subject = subject;
	e->match.negated = negated;
	e->match.pattern_span = pattern.span;
	if (pattern.kind == TOKEN_STRING) {
		e->match.pattern = pattern.text;
		e->match.pattern_size = pattern.size;
	}
	e->span = parser_span(p, subject->span);
	return e;
}

static struct expr *make_binary(struct parser *p, struct expr *left, const struct infix *in)
{
	enum expr_kind kind = in->op == OP_LAND || in->op == OP_LOR ? EXPR_LOGICAL : EXPR_BINARY;
	struct expr *e = expr_make(p->arena, kind, left->span);

	count_term(p, left->span);
	e->binary.op = in->op;
	e->binary.left = left;
	e->binary.right = parse_binary(p, in->level + 1);
	e->span = parser_span(p, left->span);
	return e;
}

/* Parses operators that bind at least as tight as level LOOSEST. TIGHTEST decreases with each looser
 * operator: after a < b, a '+' was consumed with b, and a =~ cannot follow. */
static struct expr *parse_binary(struct parser *p, unsigned loosest)
{
	unsigned tightest = LEVEL_TIGHTEST;
	struct expr *e;

	if (parser_at(p, TOKEN_LBRACKET) && loosest <= LEVEL_IN) {
		e = parse_tuple_in(p);
		tightest = LEVEL_IN - 1;
	} else {
		e = parse_unary(p);
	}
	for (;;) {
		enum token_kind token = p->token.kind;
		const struct infix *in = &infixes[token];
		bool match = token == TOKEN_MATCH || token == TOKEN_NOT_MATCH;

		if (in->level < loosest || in->level > tightest || !in->level)
			return e;
		if (match && tightest == LEVEL_COMPARE)
			return e;
		parser_advance(p);
		tightest = in->level;
		if (token == TOKEN_IN || match)
			tightest--;
		if (token == TOKEN_IN)
			e = make_in(p, e);
		else if (match)
			e = make_match(p, e, token == TOKEN_NOT_MATCH);
		else
			e = make_binary(p, e, in);
	}
}

static struct expr *parse_ternary(struct parser *p)
{
	struct expr *condition = parse_binary(p, 1), *e;

	if (!parser_accept(p, TOKEN_QUESTION))
		return condition;
	e = expr_make(p->arena, EXPR_TERNARY, condition->span);
	e->ternary.condition = condition;
	parser_enter(p);
	e->ternary.yes = parse_expr(p);
	if (!parser_accept(p, TOKEN_COLON))
		parser_expected(p, "':' and the other value");
	e->ternary.no = parse_ternary(p);
	parser_leave(p);
	e->span = parser_span(p, condition->span);
	return e;
}

static const struct assignment *find_assignment(enum token_kind token)
{
	for (size_t i = 0; i < sizeof(assignments) / sizeof(*assignments); i++)
		if (assignments[i].token == token)
			return &assignments[i];
	return NULL;
}

static struct expr *parse_assignment(struct parser *p)
{
	struct expr *left = parse_ternary(p), *e;
	const struct assignment *a = find_assignment(p->token.kind);

	if (!a)
		return left;
	if (a->op == OP_STAT_ADD)
		check_place(p, left, "accumulate into", false);
	else
		check_place(p, left, "assign to", true);
	parser_advance(p);
	e = expr_make(p->arena, EXPR_ASSIGN, left->span);
	e->assign.op = a->op;
	e->assign.left = left;
	e->assign.right = parse_expr(p);
	e->span = parser_span(p, left->span);
	return e;
}

struct expr *parse_expr(struct parser *p)
{
	bool outermost = !p->in_expression;
	struct expr *e;

	if (outermost)
		p->terms = 0;
	p->in_expression = true;
	parser_enter(p);
	e = parse_assignment(p);
	parser_leave(p);
	p->in_expression = !outermost;
	return e;
}
