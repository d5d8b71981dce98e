/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates random scripts. */
#include "tree.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct function functions[FUNCTIONS];

/* ---- random numbers ---- */

static uint64_t state;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}
static unsigned below(unsigned n) { return (unsigned)((next_random() >> 33) % n); }
static bool chance(unsigned percent) { return below(100) < percent; }

/* ---- trees ---- */

static struct node *make(enum kind kind)
{
	struct node *e = calloc(1, sizeof(*e));

	e->kind = kind;
	return e;
}

static struct node *with(enum kind kind, const char *op, unsigned n, ...)
{
	struct node *e = make(kind);
	va_list ap;

	strcpy(e->op, op);
	va_start(ap, n);
	for (e->n = 0; e->n < n; e->n++)
		e->child[e->n] = va_arg(ap, struct node *);
	va_end(ap);
	return e;
}

/* ---- making them ---- */

static struct {
	int function;			/* number of the current one; FUNCTIONS: the probe */
	int loops, foreaches, fors;
} here;

static struct node *long_expr(int depth);
static struct node *text_expr(int depth);

static struct node *variable(enum kind kind)
{
	struct node *e = make(kind);

	e->scope = chance(50) ? 'l' : 'g';
	e->index = (int)below(kind == LONG ? 4 : 3);
	return e;
}

static struct node *place(int depth, bool is_text)
{
	if (chance(60))
		return variable(is_text ? STRING : LONG);
	if (is_text)
		return with(ELEMENT_S, "", 1, text_expr(depth - 1));
	if (chance(60))
		return with(ELEMENT_N, "", 1, long_expr(depth - 1));
	return with(ELEMENT_T, "", 2, long_expr(depth - 1), text_expr(depth - 1));
}

static struct node *number(void)
{
	static const int64_t some[] = { 0, 1, -1, 2, 3, 7, 63, 64, -5, 255, INT64_MAX, INT64_MIN, 1ll << 32 };
	struct node *e = make(NUMBER);

	e->number = chance(60) ? (int64_t)below(6) : some[below(sizeof(some) / sizeof(*some))];
	return e;
}

static struct node *text(void)
{
	static const char *const some[] = { "", "a", "b", "ab", "xyz", "%d", "k1", "0123456789", "z\\n" };
	struct node *e = make(TEXT);

	strcpy(e->text, some[below(sizeof(some) / sizeof(*some) - 1)]);
	return e;
}

static struct node *call(int depth, bool is_text)
{
	int n = (int)below((unsigned)here.function);
	struct node *e;

	if (functions[n].is_text != is_text)
		return is_text ? text() : number();
	e = with(CALL, "", 2, long_expr(depth - 1), text_expr(depth - 1));
	e->index = n;
	return e;
}

static const char *pick(const char *const *list, unsigned n) { return list[below(n)]; }
#define PICK(...) pick((const char *const[]){ __VA_ARGS__ }, \
		       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static struct node *long_expr(int depth)
{
	struct node *e;

	if (depth <= 0)
		return chance(50) ? number() : variable(LONG);
	switch (below(20)) {
	case 0: case 1: return number();
	case 2: case 3: return place(depth, false);
	case 4: return with(UNARY, PICK("-", "~", "!", "+"), 1, long_expr(depth - 1));
	case 5: case 6: case 7: case 8:
		return with(BINARY, PICK("+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^"), 2,
			    long_expr(depth - 1), long_expr(depth - 1));
	case 9: return with(LOGICAL, PICK("&&", "||"), 2, long_expr(depth - 1), long_expr(depth - 1));
	case 10: return with(COMPARE, PICK("<", "<=", ">", ">=", "==", "!="), 2, long_expr(depth - 1),
			     long_expr(depth - 1));
	case 11: return with(COMPARE_TEXT, PICK("<", "<=", ">", ">=", "==", "!="), 2, text_expr(depth - 1),
			     text_expr(depth - 1));
	case 12: return with(CHOICE, "", 3, long_expr(depth - 1), long_expr(depth - 1), long_expr(depth - 1));
	case 13: return with(ASSIGN, PICK("", "", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"), 2,
			     place(depth, false), long_expr(depth - 1));
	case 14:
		e = with(STEP, PICK("++", "--"), 1, place(depth, false));
		e->flag = chance(50);
		return e;
	case 15: return with(IN_N, "", 1, long_expr(depth - 1));
	case 16: return with(IN_S, "", 1, text_expr(depth - 1));
	case 17: return with(IN_T, "", 2, chance(30) ? NULL : long_expr(depth - 1),
			     chance(30) ? NULL : text_expr(depth - 1));
	case 18: return with(LENGTH, "", 1, text_expr(depth - 1));
	default: return here.function ? call(depth, false) : number();
	}
}

static struct node *text_expr(int depth)
{
	if (depth <= 0)
		return chance(40) ? text() : variable(STRING);
	switch (below(12)) {
	case 0: return text();
	case 1: case 2: return place(depth, true);
	case 3: case 4: return with(CONCAT, "", 2, text_expr(depth - 1), text_expr(depth - 1));
	case 5: return with(SPRINT, "", 1, long_expr(depth - 1));
	case 6: return with(SUBSTR, "", 3, text_expr(depth - 1), long_expr(0), long_expr(0));
	case 7: return with(SPRINTF, "", 2, text_expr(depth - 1), long_expr(depth - 1));
	case 8: return with(CHOICE, "s", 3, long_expr(depth - 1), text_expr(depth - 1), text_expr(depth - 1));
	case 9: return with(ASSIGN_TEXT, PICK("", "", "."), 2, place(depth, true), text_expr(depth - 1));
	default: return here.function ? call(depth, true) : text();
	}
}

static struct node *statement(int depth);

static struct node *block(int depth)
{
	struct node *e = make(BLOCK);
	unsigned n = 1 + below(4);

	while (e->n < n)
		e->child[e->n++] = statement(depth - 1);
	return e;
}

static struct node *loop_body(int depth)
{
	struct node *body;

	here.loops++;
	body = block(depth);
	here.loops--;
	return body;
}

/* The variables of loops are i0, i1, ...: nothing else changes them, so that loops end. */
static struct node *counting_loop(int depth, enum kind kind)
{
	struct node *e = make(kind);

	e->index = here.fors++;
	e->number = 1 + below(4);
	e->child[e->n++] = loop_body(depth);
	here.fors--;
	return e;
}

static struct node *foreach_loop(int depth)
{
	struct node *e = make(FOREACH);

	e->index = (int)below(3);
	e->order = (int)below(5) - 2;
	e->flag = chance(30);			/* v = k in a */
	e->number = (int)below(15) - 11;	/* limit; below 0: none */
	e->scope = here.foreaches++;
	e->child[e->n++] = loop_body(depth);
	here.foreaches--;
	return e;
}

static struct node *deletion(int depth)
{
	switch (below(4)) {
	case 0: return with(DELETE, "", 1, with(ELEMENT_T, "", 2, chance(40) ? NULL : long_expr(depth - 1),
						chance(40) ? NULL : text_expr(depth - 1)));
	case 1: return with(DELETE, "", 1, with(ELEMENT_S, "", 1, text_expr(depth - 1)));
	default: return with(DELETE, "", 1, with(ELEMENT_N, "", 1, long_expr(depth - 1)));
	}
}

static struct node *effect(int depth)
{
	struct node *e;

	switch (below(4)) {
	case 0:
		e = with(STEP, PICK("++", "--"), 1, place(depth, false));
		e->flag = chance(50);
		return e;
	case 1: return with(ASSIGN_TEXT, PICK("", "."), 2, place(depth, true), text_expr(depth));
	default: return with(ASSIGN, PICK("", "", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"), 2,
			     place(depth, false), long_expr(depth));
	}
}

static struct node *statement(int depth)
{
	if (depth <= 0)
		return with(EXPRESSION, "", 1, effect(1));
	switch (below(16)) {
	case 0: case 1: case 2: return with(EXPRESSION, "", 1, effect(3));
	case 3: case 4: case 5: return with(PRINT, "", 2, long_expr(3), text_expr(3));
	case 6: case 7: return with(IF, "", chance(50) ? 3 : 2, long_expr(2), block(depth), block(depth));
	case 8: return counting_loop(depth, FOR);
	case 9: return counting_loop(depth, WHILE);
	case 10: return here.foreaches < 2 ? foreach_loop(depth) : with(EXPRESSION, "", 1, effect(2));
	case 11: return deletion(2);
	case 12: return with(TRY, "", 2, block(depth), block(depth));
	case 13:
		if (here.loops)
			return with(IF, "", 2, long_expr(2), with(chance(50) ? BREAK : CONTINUE, "", 0));
		return with(EXPRESSION, "", 1, effect(2));
	case 14:
		if (here.function == FUNCTIONS)
			return with(EXPRESSION, "", 1, effect(3));
		return with(IF, "", 2, long_expr(1), with(RETURN, "", 1, functions[here.function].is_text ?
							   text_expr(2) : long_expr(2)));
	default: return with(IF, "", 2, long_expr(2), with(FAIL, "", 1, text_expr(1)));
	}
}

/* RETURN refers to its function by 'index'. */
static void mark_returns(struct node *e, int function)
{
	if (!e)
		return;
	if (e->kind == RETURN)
		e->index = function;
	for (unsigned i = 0; i < e->n; i++)
		mark_returns(e->child[i], function);
}

struct node *program_make(uint64_t seed, bool *drawn)
{
	struct node *body = make(BLOCK);

	state = seed * 2654435769ull + 88172645463325252ull;
	for (int i = 0; i < FUNCTIONS; i++) {
		functions[i].is_text = i % 2;
		here.function = i;
		functions[i].body = block(2);
		mark_returns(functions[i].body, i);
	}
	here.function = FUNCTIONS;
	for (body->n = 0; body->n < 12; body->n++)
		body->child[body->n] = with(TRY, "", 2, block(3), block(1));
	*drawn = chance(50);
	return body;
}
