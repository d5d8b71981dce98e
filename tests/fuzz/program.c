/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random scripts with a known output: `program SEED` writes a script to stdout and, what it will print
 * when it runs, to the file descriptor 3. The script is made as a tree, printed, and run by the
 * interpreter here, which knows nothing of tapc's: numbers, strings, arrays, control flow, functions,
 * errors. tests/simulate/random-programs.sh compares. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64 };			/* the script's MAXSTRINGLEN */
enum { LONGS = 4, TEXTS = 3, GLOBALS = 4, GLOBAL_TEXTS = 3, FUNCTIONS = 4 };

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

enum kind {
	NUMBER, TEXT, LONG, STRING,	/* constants; variables: local, parameter, global by 'scope' */
	ELEMENT_N, ELEMENT_S, ELEMENT_T,	/* n[long], s[string], t[long, string] */
	UNARY, BINARY, LOGICAL, COMPARE, COMPARE_TEXT, CHOICE,
	ASSIGN, STEP, IN_N, IN_S, IN_T, LENGTH,
	CONCAT, SPRINT, SUBSTR, SPRINTF, ASSIGN_TEXT, CALL,
	/* statements */
	BLOCK, EXPRESSION, PRINT, IF, FOR, WHILE, FOREACH, DELETE, TRY, BREAK, CONTINUE, RETURN, FAIL,
};

struct node {
	enum kind kind;
	char op[4];			/* "+", "<<", ... ; of STEP: "++" "--" and 'flag': before */
	int scope, index;		/* of variables: 'l' 'g'; CALL: index is the function's */
	int64_t number;
	char text[32];
	bool flag;
	int order;			/* FOREACH: 0, by key +-1, by value +-2 */
	unsigned n;
	struct node *child[12];
};

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

struct function {
	bool is_text;			/* f(long, string) of type string, else long */
	struct node *body;
};
static struct function functions[FUNCTIONS];

/* ---- making them ---- */

static struct {
	int function;			/* number of the one being made; FUNCTIONS: the probe */
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

/* The loops' own variables are i0, i1, ...: nobody else changes them, so that they end. */
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

/* ---- printing the script ---- */

static void print(const struct node *e);

static void print_variable(const struct node *e)
{
	printf("%s%c%d", e->kind == LONG ? "" : "t", e->scope, e->index);
}

static void print_literal(const char *s)
{
	printf("\"%s\"", s);
}

static void print_element(const char *array, const struct node *e, const char *open, const char *close)
{
	printf("%s%s", array, open);
	for (unsigned i = 0; i < e->n; i++) {
		if (i)
			printf(", ");
		if (e->child[i])
			print(e->child[i]);
		else
			putchar('*');
	}
	printf("%s", close);
}

static void print_in(const char *array, const struct node *e)
{
	putchar('(');
	print_element("", e, "[", "]");
	printf(" in %s)", array);
}

static void print_list(const char *open, const struct node *e, const char *between)
{
	fputs(open, stdout);
	for (unsigned i = 0; i < e->n; i++) {
		if (i)
			fputs(between, stdout);
		print(e->child[i]);
	}
	putchar(')');
}

static void print_foreach(const struct node *e)
{
	static const char *const arrays[] = { "n", "s", "t" };
	const char *by_key = e->order == 1 ? "+" : e->order == -1 ? "-" : "";
	const char *by_value = e->order == 2 ? "+" : e->order == -2 ? "-" : "";

	printf("foreach (");
	if (e->flag)
		printf(e->index == 1 ? "ve%d = " : "vn%d = ", e->scope);
	if (e->index == 0)
		printf("kn%d%s", e->scope, by_key);
	else if (e->index == 1)
		printf("ks%d%s", e->scope, by_key);
	else
		printf("[kn%d, ks%d%s]", e->scope, e->scope, by_key);
	printf(" in %s%s", arrays[e->index], by_value);
	if (e->number >= 0)
		printf(" limit %d", (int)e->number);
	printf(") { ");
	if (e->index != 1)
		printf("print(kn%d, \" \"); ", e->scope);
	if (e->index != 0)
		printf("print(ks%d, \" \"); ", e->scope);
	if (e->flag)
		printf(e->index == 1 ? "print(ve%d); " : "print(vn%d); ", e->scope);
	print(e->child[0]);
	printf(" }\n");
}

static void print(const struct node *e)
{
	char between[8];

	switch (e->kind) {
	case NUMBER:
		if (e->number == INT64_MIN)
			printf("(-9223372036854775807 - 1)");
		else
			printf(e->number < 0 ? "(%lld)" : "%lld", (long long)e->number);
		break;
	case TEXT: print_literal(e->text); break;
	case LONG: case STRING: print_variable(e); break;
	case ELEMENT_N: print_element("n", e, "[", "]"); break;
	case ELEMENT_S: print_element("s", e, "[", "]"); break;
	case ELEMENT_T: print_element("t", e, "[", "]"); break;
	case UNARY: printf("(%s", e->op); print_list("(", e, ""); putchar(')'); break;
	case BINARY: case LOGICAL: case COMPARE: case COMPARE_TEXT:
		snprintf(between, sizeof(between), " %s ", e->op);	/* %( is the preprocessor's */
		print_list("(", e, between);
		break;
	case CHOICE:
		putchar('('); print(e->child[0]); printf(" ? "); print(e->child[1]); printf(" : ");
		print(e->child[2]); putchar(')');
		break;
	case ASSIGN: case ASSIGN_TEXT:
		putchar('('); print(e->child[0]); printf(" %s= ", e->op); print(e->child[1]); putchar(')');
		break;
	case STEP:
		printf("(%s", e->flag ? e->op : ""); print(e->child[0]); printf("%s)", e->flag ? "" : e->op);
		break;
	case IN_N: print_in("n", e); break;
	case IN_S: print_in("s", e); break;
	case IN_T: print_in("t", e); break;
	case LENGTH: print_list("strlen(", e, ""); break;
	case CONCAT: print_list("(", e, " . "); break;
	case SPRINT: print_list("sprint(", e, ""); break;
	case SUBSTR: print_list("substr(", e, ", "); break;
	case SPRINTF: print_list("sprintf(\"<%s:%d>\", ", e, ", "); break;
	case CALL: printf("f%d", e->index); print_list("(", e, ", "); break;
	case BLOCK:
		printf("{ ");
		for (unsigned i = 0; i < e->n; i++)
			print(e->child[i]);
		printf("}\n");
		break;
	case EXPRESSION: print(e->child[0]); printf(";\n"); break;
	case PRINT: print_list("println(", e, ", \" \", "); printf(";\n"); break;
	case IF:
		printf("if ("); print(e->child[0]); printf(") "); print(e->child[1]);
		if (e->n == 3) {
			printf("else "); print(e->child[2]);
		}
		break;
	case FOR:
		printf("for (i%d = 0; i%d < %d; i%d++) ", e->index, e->index, (int)e->number, e->index);
		print(e->child[0]);
		break;
	case WHILE:
		printf("i%d = 0; while (i%d++ < %d) ", e->index, e->index, (int)e->number);
		print(e->child[0]);
		break;
	case FOREACH: print_foreach(e); break;
	case DELETE: printf("delete "); print(e->child[0]); printf(";\n"); break;
	case TRY:
		printf("try "); print(e->child[0]);
		printf("catch (message) { println(message); "); print(e->child[1]); printf("}\n");
		break;
	case BREAK: printf("break;\n"); break;
	case CONTINUE: printf("continue;\n"); break;
	case RETURN: printf("return "); print(e->child[0]); printf(";\n"); break;
	case FAIL: print_list("error(", e, ""); printf(";\n"); break;
	}
}

/* ---- running it ---- */

struct value { int64_t n; char s[LIMIT]; };
struct frame { int64_t l[LONGS]; char t[TEXTS][LIMIT]; };

static struct frame *frame;
static struct frame globals;
static FILE *out;
static bool failed;
static char message[512];
static unsigned long steps;

struct element { int64_t n; char s[LIMIT], text[LIMIT]; int64_t value; unsigned long serial; };
static struct array { struct element *e[8192]; unsigned count; } arrays[3];	/* n, s, t; by age */
static unsigned long serial;

static void fail(const char *text)
{
	if (failed)
		return;
	failed = true;
	snprintf(message, sizeof(message), "%.*s", LIMIT - 1, text);
}

static bool fits(const struct element *e, const int64_t *n, const char *s)
{
	return (!n || e->n == *n) && (!s || !strcmp(e->s, s));
}

static struct element *find(struct array *a, const int64_t *n, const char *s)
{
	for (unsigned i = 0; i < a->count; i++)
		if (fits(a->e[i], n, s))
			return a->e[i];
	return NULL;
}

static struct element *slot(struct array *a, const int64_t *n, const char *s)
{
	struct element *e = find(a, n, s);

	if (e)
		return e;
	if (a->count >= 2048) {			/* MAXMAPENTRIES: the program is of no use */
		fprintf(stderr, "too many elements\n");
		exit(77);
	}
	e = calloc(1, sizeof(*e));
	e->n = n ? *n : 0;
	strcpy(e->s, s ? s : "");
	e->serial = ++serial;
	return a->e[a->count++] = e;
}

static void remove_all(struct array *a, const int64_t *n, const char *s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < a->count; i++)
		if (fits(a->e[i], n, s))
			a->e[i]->serial = 0;
		else
			a->e[kept++] = a->e[i];
	a->count = kept;
}

static int64_t run_long(const struct node *e);
static void run_text(const struct node *e, char *to);

/* Keys of ELEMENT_x and IN_x: pointers into KEYS, or NULL for '*'. */
struct keys { int64_t n; char s[LIMIT]; const int64_t *np; const char *sp; struct array *array; };

static void run_keys(const struct node *e, struct keys *k)
{
	bool has_n = e->kind != ELEMENT_S && e->kind != IN_S, has_s = e->kind != ELEMENT_N && e->kind != IN_N;
	const struct node *n = has_n ? e->child[0] : NULL, *s = has_s ? e->child[e->n - 1] : NULL;

	k->array = &arrays[!has_s ? 0 : !has_n ? 1 : 2];
	k->np = NULL;
	k->sp = NULL;
	if (n) {
		k->n = run_long(n);
		k->np = &k->n;
	}
	if (s && !failed) {
		run_text(s, k->s);
		k->sp = k->s;
	}
}

static int64_t *long_place(const struct node *e)
{
	return e->scope == 'l' ? &frame->l[e->index] : &globals.l[e->index];
}

static char *text_place(const struct node *e)
{
	return e->scope == 'l' ? frame->t[e->index] : globals.t[e->index];
}

static int64_t arithmetic(const char *op, int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	if (!strcmp(op, "+")) return (int64_t)(x + y);
	if (!strcmp(op, "-")) return (int64_t)(x - y);
	if (!strcmp(op, "*")) return (int64_t)(x * y);
	if (!strcmp(op, "&")) return a & b;
	if (!strcmp(op, "|")) return a | b;
	if (!strcmp(op, "^")) return a ^ b;
	if (!strcmp(op, "<<")) return (int64_t)(x << (b & 63));
	if (!strcmp(op, ">>")) return a >> (b & 63);
	if (!strcmp(op, ">>>")) return (int64_t)(x >> (b & 63));
	if (b == 0) {
		fail("division by 0");
		return 0;
	}
	if (b == -1)
		return *op == '/' ? (int64_t)(0 - x) : 0;
	return *op == '/' ? a / b : a % b;
}

static int64_t compare(const char *op, int order)
{
	if (!strcmp(op, "<")) return order < 0;
	if (!strcmp(op, "<=")) return order <= 0;
	if (!strcmp(op, ">")) return order > 0;
	if (!strcmp(op, ">=")) return order >= 0;
	return (order == 0) == (*op == '=');
}

static void run_call(const struct node *e, struct value *result);

/* The place is known before the value, an element comes into being after it. */
static int64_t run_assign(const struct node *e)
{
	const struct node *left = e->child[0];
	struct keys k = { 0 };
	int64_t value, *to;

	if (left->kind != LONG)
		run_keys(left, &k);
	if (failed)
		return 0;
	value = run_long(e->child[1]);
	if (failed)
		return 0;
	to = left->kind == LONG ? long_place(left) : &slot(k.array, k.np, k.sp)->value;
	if (*e->op)
		value = arithmetic(e->op, *to, value);
	if (!failed)
		*to = value;
	return value;
}

static int64_t run_step(const struct node *e)
{
	const struct node *left = e->child[0];
	struct keys k = { 0 };
	int64_t old, *to;

	if (left->kind != LONG)
		run_keys(left, &k);
	if (failed)
		return 0;
	to = left->kind == LONG ? long_place(left) : &slot(k.array, k.np, k.sp)->value;
	old = *to;
	*to = arithmetic(e->op[0] == '+' ? "+" : "-", old, 1);
	return e->flag ? *to : old;
}

static int64_t run_long(const struct node *e)
{
	struct keys k = { 0 };
	struct element *element;
	struct value value = { 0 };
	char s[LIMIT], t[LIMIT];
	int64_t a, b;

	if (failed)
		return 0;
	if (++steps > 300000) {
		fprintf(stderr, "too many steps\n");
		exit(77);
	}
	switch (e->kind) {
	case NUMBER: return e->number;
	case LONG: return *long_place(e);
	case ELEMENT_N: case ELEMENT_T:
		run_keys(e, &k);
		element = failed ? NULL : find(k.array, k.np, k.sp);
		return element ? element->value : 0;
	case UNARY:
		a = run_long(e->child[0]);
		return *e->op == '-' ? (int64_t)(0 - (uint64_t)a) : *e->op == '~' ? ~a : *e->op == '!' ? !a : a;
	case BINARY:
		a = run_long(e->child[0]);
		b = run_long(e->child[1]);
		return failed ? 0 : arithmetic(e->op, a, b);
	case LOGICAL:
		a = run_long(e->child[0]);
		if (failed || (*e->op == '&') == !a)
			return !!a;
		return !!run_long(e->child[1]);
	case COMPARE:
		a = run_long(e->child[0]);
		b = run_long(e->child[1]);
		return compare(e->op, a < b ? -1 : a > b);
	case COMPARE_TEXT:
		run_text(e->child[0], s);
		run_text(e->child[1], t);
		return failed ? 0 : compare(e->op, strcmp(s, t));
	case CHOICE:
		a = run_long(e->child[0]);
		return failed ? 0 : run_long(e->child[a ? 1 : 2]);
	case ASSIGN: return run_assign(e);
	case STEP: return run_step(e);
	case IN_N: case IN_S: case IN_T:
		run_keys(e, &k);
		return !failed && find(k.array, k.np, k.sp);
	case LENGTH:
		run_text(e->child[0], s);
		return failed ? 0 : (int64_t)strlen(s);
	case CALL:
		run_call(e, &value);
		return value.n;
	default:
		abort();
	}
}

static void cut(char *to, const char *from)
{
	size_t n = strlen(from);

	n = n < LIMIT - 1 ? n : LIMIT - 1;
	memmove(to, from, n);
	to[n] = '\0';
}

static void run_assign_text(const struct node *e, char *to)
{
	const struct node *left = e->child[0];
	struct keys k = { 0 };
	struct element *element;
	char value[LIMIT], both[2 * LIMIT];

	if (left->kind != STRING)
		run_keys(left, &k);
	if (failed)
		return;
	run_text(e->child[1], value);
	if (failed)
		return;
	if (*e->op) {
		element = left->kind == STRING ? NULL : find(k.array, k.np, k.sp);
		snprintf(both, sizeof(both), "%s%s",
			 left->kind == STRING ? text_place(left) : element ? element->text : "", value);
		cut(value, both);
	}
	cut(left->kind == STRING ? text_place(left) : slot(k.array, k.np, k.sp)->text, value);
	cut(to, value);
}

static void run_substr(const struct node *e, char *to)
{
	char s[LIMIT];
	int64_t start, length, size;

	run_text(e->child[0], s);
	start = run_long(e->child[1]);
	length = run_long(e->child[2]);
	size = (int64_t)strlen(s);
	*to = '\0';
	if (failed || start < 0 || start >= size || length < 1)
		return;
	if (length > size - start)
		length = size - start;
	memcpy(to, s + start, (size_t)length);
	to[length] = '\0';
}

static void run_text(const struct node *e, char *to)
{
	struct keys k = { 0 };
	struct element *element;
	struct value value = { 0 };
	char s[LIMIT], t[LIMIT], both[3 * LIMIT];
	int64_t n;

	*to = '\0';
	if (failed)
		return;
	switch (e->kind) {
	case TEXT: cut(to, e->text); break;
	case STRING: cut(to, text_place(e)); break;
	case ELEMENT_S:
		run_keys(e, &k);
		element = failed ? NULL : find(k.array, k.np, k.sp);
		cut(to, element ? element->text : "");
		break;
	case CONCAT:
		run_text(e->child[0], s);
		run_text(e->child[1], t);
		snprintf(both, sizeof(both), "%s%s", s, t);
		cut(to, both);
		break;
	case SPRINT:
		snprintf(both, sizeof(both), "%lld", (long long)run_long(e->child[0]));
		cut(to, both);
		break;
	case SPRINTF:
		run_text(e->child[0], s);
		n = run_long(e->child[1]);
		snprintf(both, sizeof(both), "<%s:%lld>", s, (long long)n);
		cut(to, both);
		break;
	case SUBSTR: run_substr(e, to); break;
	case CHOICE:
		n = run_long(e->child[0]);
		if (!failed)
			run_text(e->child[n ? 1 : 2], to);
		break;
	case ASSIGN_TEXT: run_assign_text(e, to); break;
	case CALL:
		run_call(e, &value);
		cut(to, value.s);
		break;
	default: abort();
	}
}

enum outcome { ON, BREAKS, CONTINUES, RETURNS };
static enum outcome run(const struct node *e, struct value *result);

static void print_frame(void)
{
	for (int i = 0; i < LONGS; i++)
		fprintf(out, "%lld ", (long long)frame->l[i]);
	for (int i = 0; i < TEXTS; i++)
		fprintf(out, "[%s]", frame->t[i]);
	fprintf(out, "\n");
}

static void run_call(const struct node *e, struct value *result)
{
	struct frame own = { 0 }, *caller = frame;
	int64_t a = run_long(e->child[0]);
	char s[LIMIT];

	run_text(e->child[1], s);
	if (failed)
		return;
	own.l[0] = a;
	cut(own.t[0], s);
	frame = &own;
	if (run(functions[e->index].body, result) == ON && !failed)
		print_frame();
	frame = caller;
}

static int by_order;

static int compare_elements(const void *a, const void *b)
{
	const struct element *x = *(struct element *const *)a, *y = *(struct element *const *)b;
	int order = 0;

	switch (by_order) {
	case 10: case -10: order = x->n < y->n ? -1 : x->n > y->n; break;	/* n: by key */
	case 11: case -11: case 12: case -12: order = strcmp(x->s, y->s); break;
	case 20: case -20: case 22: case -22: order = x->value < y->value ? -1 : x->value > y->value; break;
	case 21: case -21: order = strcmp(x->text, y->text); break;
	}
	if (by_order < 0)
		order = -order;
	return order ? order : x->serial < y->serial ? -1 : 1;
}

static enum outcome run_foreach(const struct node *e, struct value *result)
{
	struct array *a = &arrays[e->index];
	unsigned n = a->count, done = 0;
	struct element **list = malloc((n + 1) * sizeof(*list));
	unsigned long *serials = malloc((n + 1) * sizeof(*serials));
	enum outcome o = ON;

	memcpy(list, a->e, n * sizeof(*list));
	by_order = (e->order < 0 ? -1 : 1) * (abs(e->order) * 10 + e->index);
	if (e->order)
		qsort(list, n, sizeof(*list), compare_elements);
	for (unsigned i = 0; i < n; i++)
		serials[i] = list[i]->serial;
	for (unsigned i = 0; i < n && !failed; i++) {
		if (list[i]->serial != serials[i])
			continue;
		if (e->number >= 0 && done++ >= (unsigned)e->number)
			break;
		if (e->index != 1)
			fprintf(out, "%lld ", (long long)list[i]->n);
		if (e->index != 0)
			fprintf(out, "%s ", list[i]->s);
		if (e->flag && e->index == 1)
			fprintf(out, "%s", list[i]->text);
		else if (e->flag)
			fprintf(out, "%lld", (long long)list[i]->value);
		o = run(e->child[0], result);
		if (o == BREAKS || o == RETURNS)
			break;
	}
	free(list);
	free(serials);
	return o == RETURNS ? o : ON;
}

static enum outcome run_counting(const struct node *e, struct value *result)
{
	for (int i = 0; i < e->number && !failed; i++) {
		enum outcome o = run(e->child[0], result);

		if (o == RETURNS)
			return o;
		if (o == BREAKS)
			break;
	}
	return ON;
}

static enum outcome run_try(const struct node *e, struct value *result)
{
	enum outcome o = run(e->child[0], result);

	if (!failed)
		return o;
	failed = false;
	fprintf(out, "%s\n", message);
	return run(e->child[1], result);
}

static enum outcome run(const struct node *e, struct value *result)
{
	struct keys k = { 0 };
	enum outcome o;
	char s[LIMIT];
	int64_t n;

	if (failed)
		return ON;
	switch (e->kind) {
	case BLOCK:
		for (unsigned i = 0; i < e->n; i++)
			if ((o = run(e->child[i], result)) != ON || failed)
				return o;
		return ON;
	case EXPRESSION:
		if (e->child[0]->kind == ASSIGN_TEXT)
			run_text(e->child[0], s);
		else
			run_long(e->child[0]);
		return ON;
	case PRINT:
		n = run_long(e->child[0]);
		run_text(e->child[1], s);
		if (!failed)
			fprintf(out, "%lld %s\n", (long long)n, s);
		return ON;
	case IF:
		n = run_long(e->child[0]);
		if (failed || (!n && e->n == 2))
			return ON;
		return run(e->child[n ? 1 : 2], result);
	case FOR: case WHILE: return run_counting(e, result);
	case FOREACH: return run_foreach(e, result);
	case DELETE:
		run_keys(e->child[0], &k);
		if (!failed)
			remove_all(k.array, k.np, k.sp);
		return ON;
	case TRY: return run_try(e, result);
	case BREAK: return BREAKS;
	case CONTINUE: return CONTINUES;
	case RETURN:
		if (functions[e->index].is_text)
			run_text(e->child[0], result->s);
		else
			result->n = run_long(e->child[0]);
		return failed ? ON : RETURNS;
	case FAIL:
		run_text(e->child[0], s);
		fail(s);
		return ON;
	default: abort();
	}
}

/* ---- the whole ---- */

/* RETURN knows its function by 'index'. */
static void mark_returns(struct node *e, int function)
{
	if (!e)
		return;
	if (e->kind == RETURN)
		e->index = function;
	for (unsigned i = 0; i < e->n; i++)
		mark_returns(e->child[i], function);
}

static void print_all(const char *letter)
{
	printf("\tprintln(%s0, \" \", %s1, \" \", %s2, \" \", %s3, \" [\", t%s0, \"][\", t%s1, \"][\", t%s2, \"]\")\n",
	       letter, letter, letter, letter, letter, letter, letter);
}

static void print_script(struct node *body)
{
	printf("global g0 = 0, g1 = 0, g2 = 0, g3 = 0, tg0 = \"\", tg1 = \"\", tg2 = \"\", n, s, t\n");
	for (int i = 0; i < FUNCTIONS; i++) {
		printf("function f%d:%s (l0:long, tl0:string) {\n\tl1 = l2 = l3 = 0; tl1 = tl2 = \"\"\n", i,
		       functions[i].is_text ? "string" : "long");
		print(functions[i].body);
		print_all("l");
		printf("}\n");
	}
	printf("function show() {\n\tforeach (k in n) print(k, \"=\", n[k], \" \")\n"
	       "\tforeach (k2 in s) print(k2, \"=\", s[k2], \" \")\n"
	       "\tforeach ([k3, k4] in t) print(k3, k4, \"=\", t[k3, k4], \" \")\n\tprintln()\n");
	print_all("g");
	/* A second probe that writes makes the first one take locks. */
	printf("}\n%s {\n\tl0 = l1 = l2 = l3 = 0; tl0 = tl1 = tl2 = \"\"\n",
	       chance(50) ? "probe begin" :
	       "probe timer.s(100) { g0 = g1 = g2 = g3 = 1; tg0 = tg1 = tg2 = \"\"; n[1] = 1; s[\"\"] = \"\"; "
	       "t[1, \"\"] = 1 }\nprobe timer.ms(10)");
	print(body);
	print_all("l");
	printf("\tn[0] = 0; s[\"\"] = \"\"; t[0, \"\"] = 0\n\tshow()\n\texit()\n}\n");
}

static void show(void)
{
	int64_t zero = 0;

	slot(&arrays[0], &zero, NULL)->value = 0;
	*slot(&arrays[1], NULL, "")->text = '\0';
	slot(&arrays[2], &zero, "")->value = 0;
	for (unsigned i = 0; i < arrays[0].count; i++)
		fprintf(out, "%lld=%lld ", (long long)arrays[0].e[i]->n, (long long)arrays[0].e[i]->value);
	for (unsigned i = 0; i < arrays[1].count; i++)
		fprintf(out, "%s=%s ", arrays[1].e[i]->s, arrays[1].e[i]->text);
	for (unsigned i = 0; i < arrays[2].count; i++)
		fprintf(out, "%lld%s=%lld ", (long long)arrays[2].e[i]->n, arrays[2].e[i]->s,
			(long long)arrays[2].e[i]->value);
	fprintf(out, "\n");
	frame = &globals;
	print_frame();
}

int main(int argc, char **argv)
{
	struct frame own = { 0 };
	struct value none;
	struct node *body;

	state = (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) * 2654435769ull + 88172645463325252ull;
	out = fdopen(3, "w");
	if (!out)
		return 2;
	for (int i = 0; i < FUNCTIONS; i++) {
		functions[i].is_text = i % 2;
		here.function = i;
		functions[i].body = block(2);
		mark_returns(functions[i].body, i);
	}
	here.function = FUNCTIONS;
	body = make(BLOCK);
	for (body->n = 0; body->n < 12; body->n++)
		body->child[body->n] = with(TRY, "", 2, block(3), block(1));
	print_script(body);
	frame = &own;
	run(body, &none);
	if (failed)			/* uncaught: the script prints no more, either */
		return fclose(out) ? 2 : 0;
	print_frame();
	show();
	return fclose(out) ? 2 : 0;
}
