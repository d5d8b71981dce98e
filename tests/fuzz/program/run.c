/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interpreter: computes what a script prints when it runs. It shares nothing with tapc. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

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
	if (a->count >= 2048) {			/* MAXMAPENTRIES: this program cannot be used */
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

/* The place is determined before the value, but an element is created after it. */
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

void program_run(const struct node *body, FILE *to)
{
	struct frame own = { 0 };
	struct value none;

	out = to;
	frame = &own;
	run(body, &none);
	if (failed)			/* uncaught: the script prints nothing more, either */
		return;
	print_frame();
	show();
}
