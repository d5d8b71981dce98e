/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions to C. A value is a C expression that has no side effect and cannot fail. Operations with side
 * effects or errors (calls, assignments, division, array elements) are written before it, as statements in
 * the order of the script, with their results in temporaries. An operand that a later operand could change
 * is also copied to a temporary. */

#include "expr.h"

#include <stdarg.h>
#include <string.h>

#include "assign.h"
#include "call.h"
#include "element.h"
#include "embedded.h"
#include "base/access.h"
#include "points/family.h"
#include "print.h"
#include "target.h"
#include "base/util.h"

/* ---- lines and temporaries ---- */

void emit_line(struct emitter *em, const char *fmt, ...)
{
	va_list ap;

	for (unsigned i = 0; i < em->indent; i++)
		text_char(em->out, '\t');
	va_start(ap, fmt);
	text_add(em->out, arena_vprintf(em->arena, fmt, ap));
	va_end(ap);
	text_char(em->out, '\n');
}

const char *emit_temp(struct emitter *em)
{
	return arena_printf(em->arena, "t%u", ++em->next_temp);
}

const char *emit_c_string(struct emitter *em, const char *s, size_t n)
{
	struct text t;

	text_init(&t, em->arena);
	text_char(&t, '"');
	text_c_escape(&t, s, n);
	text_char(&t, '"');
	return t.s;
}

/* After an error. */
static void emit_fail(struct emitter *em, const char *what, struct span at)
{
	const char *text = arena_printf(em->arena, "%s at %s", what, span_position(em->arena, at));

	em->fail_used = true;
	emit_line(em, "\tc->where = %s;", emit_c_string(em, text, strlen(text)));
	emit_line(em, "\tgoto %s;", em->fail);
}

void emit_check(struct emitter *em, const char *what, struct span at)
{
	if (em->checks_later)
		return;
	if (!what) {
		em->fail_used = true;
		emit_line(em, "if (tap_unlikely(c->error))");
		emit_line(em, "\tgoto %s;", em->fail);
		return;
	}
	emit_line(em, "if (tap_unlikely(c->error)) {");
	emit_fail(em, what, at);
	emit_line(em, "}");
}

void emit_commit(struct emitter *em)
{
	em->commits++;
	if (!(em->handler ? em->handler->fetches : em->plan->fetches))
		return;
	em->fail_used = true;
	emit_line(em, "if (tap_unlikely(!tap_commit(c)))");
	emit_line(em, "\tgoto %s;", em->fail);
}

const char *emit_c_type(enum type t)
{
	return t == TYPE_STRING ? "struct tap_string" : "s64";
}

const char *emit_hold(struct emitter *em, enum type type, const char *value)
{
	const char *t = emit_temp(em);

	emit_line(em, "%s %s = %s;", emit_c_type(type), t, value);
	return t;
}

const struct global_plan *emit_global(const struct emitter *em, const struct variable *v)
{
	return v->kind == VARIABLE_GLOBAL ? &em->plan->globals.items[v->number] : NULL;
}

/* ---- side effects ---- */

static void find_effect(struct expr **ep, void *data)
{
	struct expr *e = *ep;
	bool *found = data;

	if (!e || *found)
		return;
	if (e->kind == EXPR_ASSIGN || e->kind == EXPR_STEP || e->kind == EXPR_EMBEDDED)
		*found = true;
	if (e->kind == EXPR_CALL)
		vec_each(f, &e->call.candidates)
			if (!((*f)->embedded && (*f)->span.source->is_system))
				*found = true;
	expr_each(e, find_effect, found);
}

/* May evaluating E change a variable? */
bool emit_has_effect(struct expr *e)
{
	bool found = false;

	find_effect(&e, &found);
	return found;
}

bool emit_any_effect(const expr_list *list, size_t from)
{
	for (size_t i = from; i < list->n; i++)
		if (list->items[i] && emit_has_effect(list->items[i]))
			return true;
	return false;
}

bool emit_is_constant(const struct expr *e)
{
	return e->kind == EXPR_NUMBER || e->kind == EXPR_STRING;
}

/* Does one of the expressions whose text E may return unchanged satisfy IS? String operations return an
 * argument itself if nothing changes; a function of the script returns a copy. */
bool emit_any_origin(const struct expr *e, bool (*is)(const struct expr *e, const void *data),
		       const void *data)
{
	bool found = false;

	switch (e->kind) {
	case EXPR_NAME:
	case EXPR_INDEX:
		return is(e, data);
	case EXPR_TERNARY:
		return emit_any_origin(e->ternary.yes, is, data) || emit_any_origin(e->ternary.no, is, data);
	case EXPR_ASSIGN:
		return is(e->assign.left, data) || emit_any_origin(e->assign.right, is, data);
	case EXPR_BINARY:
		return e->binary.op == OP_CONCAT && (emit_any_origin(e->binary.left, is, data) ||
						     emit_any_origin(e->binary.right, is, data));
	case EXPR_CALL:
		if (e->call.candidates.items[0]->embedded)
			vec_each(arg, &e->call.args)
				found |= (*arg)->type == TYPE_STRING && emit_any_origin(*arg, is, data);
		return found;
	default:
		return false;
	}
}

static bool is_any(const struct expr *e, const void *data)
{
	(void)e, (void)data;
	return true;
}

static bool is_element(const struct expr *e, const void *data)
{
	(void)data;
	return e->kind == EXPR_INDEX;
}

bool emit_lies_in_variable(const struct expr *e)
{
	return e->type == TYPE_STRING && emit_any_origin(e, is_any, NULL);
}

bool emit_lies_in_element(const struct expr *e)
{
	return e->type == TYPE_STRING && emit_any_origin(e, is_element, NULL);
}

/* A copy of a string, for the case that its variable changes. */
const char *emit_hold_string(struct emitter *em, struct expr *e, const char *value)
{
	const char *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "struct tap_string %s = tap_string_hold(c, %s);", t, value);
	emit_check(em, "string", e->span);
	return t;
}

/* E's current value. LATER: changes may happen before it is used. */
const char *emit_before(struct emitter *em, struct expr *e, bool later)
{
	const char *value = emit_expr(em, e);

	if (!later || emit_is_constant(e))
		return value;
	if (emit_lies_in_variable(e))
		return emit_hold_string(em, e, value);
	return emit_hold(em, e->type, value);
}

/* ---- arrays ---- */

bool emit_is_numbered(const struct variable *array)
{
	return array->type == TYPE_LONG && array->key_count == 1 && array->key_types[0] == TYPE_LONG;
}

/* LATER: a following expression may change a variable before the keys are used. */
static const char *emit_list(struct emitter *em, const struct variable *array, const expr_list *keys,
			    unsigned *wild, bool later)
{
	const char *k = emit_temp(em);
	struct text list;

	text_init(&list, em->arena);
	for (size_t i = 0; i < keys->n; i++) {
		struct expr *e = keys->items[i];
		const char *value;

		if (i)
			text_add(&list, ", ");
		if (!e) {
			*wild |= 1u << i;
			text_add(&list, "{ .n = 0 }");
			continue;
		}
		/* An element may move when another one is added or removed. */
		value = emit_before(em, e, later || emit_lies_in_element(e) || emit_any_effect(keys, i + 1));
		text_printf(&list, array->key_types[i] == TYPE_STRING ? "{ .s = %s }" : "{ .n = %s }", value);
	}
	emit_line(em, "const union tap_value %s[] = { %s };", k, list.s);
	return k;
}

const char *emit_keys_before(struct emitter *em, const struct variable *array, const expr_list *keys,
			     unsigned *wild, bool later)
{
	struct expr *e = keys->items[0];

	if (!e || !emit_is_numbered(array))
		return emit_list(em, array, keys, wild, later);
	return emit_hold(em, TYPE_LONG, emit_before(em, e, later));
}

const char *emit_keys(struct emitter *em, const struct variable *array, const expr_list *keys,
		      unsigned *wild)
{
	return emit_keys_before(em, array, keys, wild, false);
}

const char *emit_slice(struct emitter *em, const struct variable *array, const expr_list *keys,
		       unsigned *wild)
{
	return emit_list(em, array, keys, wild, false);
}

const char *emit_element_name(struct emitter *em, const struct expr *e)
{
	return arena_printf(em->arena, "identifier '%s'", expr_variable(e)->name);
}

static const char *emit_index(struct emitter *em, struct expr *e)
{
	const struct variable *v = expr_variable(e);
	unsigned wild = 0;
	const char *pointer;
	bool exists;

	if (v->type == TYPE_STRING)
		return emit_hold(em, TYPE_STRING, arena_printf(em->arena, "tap_map_get_string(%s, %s)", v->c_name,
							  emit_keys(em, v, &e->index.keys, &wild)));
	pointer = element_find(em, v, &e->index.keys, &exists);
	return emit_hold(em, TYPE_LONG, arena_printf(em->arena, exists ? "*%s" : "%s ? *%s : 0", pointer, pointer));
}

/* ---- names ---- */

static const char *cell_offset(struct emitter *em, const struct variable *v)
{
	return arena_printf(em->arena, "__builtin_offsetof(struct cells, %s)", v->c_name);
}

static const char *cell_text(struct emitter *em, const struct variable *v)
{
	return arena_printf(em->arena, "tap_cell_get(&%s.cell)", v->c_name);
}

/* A value saved at the function's entry, if it could be read there. */
static const char *emit_kept(struct emitter *em, const struct expr *e)
{
	const struct variable *v = e->name.variable;
	const struct handler *h = em->handler ? em->handler->handler : em->function->handler;

	emit_line(em, "if (tap_unlikely(!(((struct entry_%u *)c->entry)->has & 1ull << %u))) {",
		  h->number, v->number);
	emit_line(em, "\ttap_error(c, \"could not be read when the function was entered\");");
	if (!em->checks_later)
		emit_fail(em, arena_printf(em->arena, "identifier '%s'", v->name), e->span);
	emit_line(em, "}");
	return v->type == TYPE_STRING ? cell_text(em, v) : v->c_name;
}

const char *emit_name(struct emitter *em, const struct expr *e)
{
	const struct variable *v = e->name.variable;
	const struct global_plan *g = emit_global(em, v);

	if (v->kind == VARIABLE_ENTRY)
		return emit_kept(em, e);
	if (!g)
		return v->c_name;
	if (v->type == TYPE_STRING)
		return cell_text(em, v);
	if (g->storage == STORAGE_COUNTER)
		return arena_printf(em->arena, "tap_add(%s, tap_counter_read(%s))", v->c_name,
				    cell_offset(em, v));
	return v->c_name;
}

/* ---- operators ---- */

static const char *emit_number(struct emitter *em, int64_t n)
{
	if (n == INT64_MIN)
		return "(-9223372036854775807ll - 1)";
	return arena_printf(em->arena, n < 0 ? "(%lldll)" : "%lldll", (long long)n);
}

static const char *emit_literal(struct emitter *em, const struct expr *e)
{
	size_t room = (size_t)em->plan->max_string - 1, n = e->string.size < room ? e->string.size : room;

	return arena_printf(em->arena, "TAP_STRING(%s)", emit_c_string(em, e->string.text, n));
}

static const char *emit_unary(struct emitter *em, struct expr *e)
{
	const char *v = emit_expr(em, e->unary.operand);

	switch (e->unary.op) {
	case OP_NEG: return arena_printf(em->arena, "tap_neg(%s)", v);
	case OP_NOT: return arena_printf(em->arena, "(s64)!%s", v);
	case OP_BITNOT: return arena_printf(em->arena, "(~%s)", v);
	default: return v;
	}
}

static const char *c_comparison(enum op op)
{
	switch (op) {
	case OP_EQ: return "==";
	case OP_NE: return "!=";
	case OP_LT: return "<";
	case OP_LE: return "<=";
	case OP_GT: return ">";
	case OP_GE: return ">=";
	default: return NULL;
	}
}

static const char *compare_strings(struct emitter *em, enum op op, const char *a, const char *b)
{
	if (op == OP_EQ || op == OP_NE)
		return arena_printf(em->arena, "(s64)%stap_string_equal(%s, %s)", op == OP_NE ? "!" : "", a, b);
	return arena_printf(em->arena, "(s64)(tap_string_compare(%s, %s) %s 0)", a, b, c_comparison(op));
}

/* Division, with checks for a zero divisor and overflow. */
static const char *emit_division(struct emitter *em, enum op op, const char *a, const char *b,
				 const struct expr *divisor, struct span at)
{
	const char *t;

	if (divisor->kind == EXPR_NUMBER && divisor->number.value > 0)
		return arena_printf(em->arena, "(%s %s %s)", a, op == OP_DIV ? "/" : "%", b);
	t = emit_temp(em);
	emit_line(em, "s64 %s = %s(c, %s, %s);", t, op == OP_DIV ? "tap_div" : "tap_mod", a, b);
	emit_check(em, op == OP_DIV ? "operator '/'" : "operator '%'", at);
	return t;
}

const char *emit_concat(struct emitter *em, const char *a, const char *b, struct span at)
{
	const char *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "struct tap_string %s = tap_concat(c, %s, %s);", t, a, b);
	emit_check(em, "operator '.'", at);
	return t;
}

const char *emit_join(struct emitter *em, const name_list *pieces, const char *what, struct span at)
{
	const char *t = emit_temp(em);
	struct text list;

	if (!pieces->n)
		return "TAP_EMPTY";
	text_init(&list, em->arena);
	vec_each(piece, pieces)
		text_printf(&list, "%s%s", piece == pieces->items ? "" : ", ", *piece);
	em->scratch_used = true;
	emit_line(em, "struct tap_string %s = tap_join(c, (const struct tap_string[]){ %s }, %zu);", t, list.s,
		  pieces->n);
	emit_check(em, what, at);
	return t;
}

/* a . b . c, also with sprintf: copied once, at the end. */
static void collect_pieces(struct emitter *em, struct expr *e, bool later, name_list *pieces)
{
	if (e->kind == EXPR_BINARY) {
		collect_pieces(em, e->binary.left, later || emit_has_effect(e->binary.right), pieces);
		collect_pieces(em, e->binary.right, later, pieces);
	} else if (e->kind == EXPR_PRINT) {
		emit_print_pieces(em, e, later, pieces);
	} else {
		*vec_add(em->arena, pieces) = emit_before(em, e, later);
	}
}

static const char *emit_pieces(struct emitter *em, struct expr *e)
{
	name_list pieces = { 0 };

	collect_pieces(em, e, false, &pieces);
	if (pieces.n == 2 && e->binary.left->kind != EXPR_PRINT && e->binary.right->kind != EXPR_PRINT)
		return emit_concat(em, pieces.items[0], pieces.items[1], e->span);
	return emit_join(em, &pieces, "operator '.'", e->span);
}

const char *emit_arithmetic(struct emitter *em, enum op op, const char *a, const char *b,
				   const struct expr *right, struct span at)
{
	switch (op) {
	case OP_ADD: return arena_printf(em->arena, "tap_add(%s, %s)", a, b);
	case OP_SUB: return arena_printf(em->arena, "tap_sub(%s, %s)", a, b);
	case OP_MUL: return arena_printf(em->arena, "tap_mul(%s, %s)", a, b);
	case OP_SHL: return arena_printf(em->arena, "tap_shl(%s, %s)", a, b);
	case OP_SHR: return arena_printf(em->arena, "tap_shr(%s, %s)", a, b);
	case OP_USHR: return arena_printf(em->arena, "(s64)((u64)%s >> (%s & 63))", a, b);
	case OP_AND: return arena_printf(em->arena, "(%s & %s)", a, b);
	case OP_XOR: return arena_printf(em->arena, "(%s ^ %s)", a, b);
	case OP_OR: return arena_printf(em->arena, "(%s | %s)", a, b);
	case OP_DIV:
	case OP_MOD: return emit_division(em, op, a, b, right, at);
	default: return arena_printf(em->arena, "(s64)(%s %s %s)", a, c_comparison(op), b);
	}
}

static const char *emit_binary(struct emitter *em, struct expr *e)
{
	struct expr *left = e->binary.left, *right = e->binary.right;
	const char *a, *b;

	if (e->binary.op == OP_CONCAT)
		return emit_pieces(em, e);
	a = emit_before(em, left, emit_has_effect(right));
	b = emit_expr(em, right);
	if (c_comparison(e->binary.op) && left->type == TYPE_STRING)
		return compare_strings(em, e->binary.op, a, b);
	return emit_arithmetic(em, e->binary.op, a, b, right, e->span);
}

/* Writes the statements that E needs to a separate text. */
static const char *emit_aside(struct emitter *em, struct expr *e, struct text *aside)
{
	struct text *out = em->out;
	const char *value;

	text_init(aside, em->arena);
	em->out = aside;
	em->indent++;
	value = emit_expr(em, e);
	em->indent--;
	em->out = out;
	return value;
}

static const char *emit_logical(struct emitter *em, struct expr *e)
{
	bool is_and = e->binary.op == OP_LAND;
	const char *a = emit_expr(em, e->binary.left), *b, *t;
	struct element_branch branch = element_branch(em);
	struct text aside;

	b = emit_aside(em, e->binary.right, &aside);
	element_join(em, &branch);
	if (!aside.n)
		return arena_printf(em->arena, "(s64)(%s %s %s)", a, is_and ? "&&" : "||", b);
	t = emit_temp(em);
	emit_line(em, "s64 %s = !!%s;", t, a);
	emit_line(em, "if (%s%s) {", is_and ? "" : "!", t);
	text_add(em->out, aside.s);
	emit_line(em, "\t%s = !!%s;", t, b);
	emit_line(em, "}");
	return t;
}

static const char *emit_ternary(struct emitter *em, struct expr *e)
{
	const char *condition = emit_condition(em, e->ternary.condition), *yes, *no, *t;
	struct element_branch branch = element_branch(em);
	struct text yes_aside, no_aside;

	yes = emit_aside(em, e->ternary.yes, &yes_aside);
	element_other(em, &branch);
	no = emit_aside(em, e->ternary.no, &no_aside);
	element_join(em, &branch);
	if (!yes_aside.n && !no_aside.n)
		return arena_printf(em->arena, "(%s ? %s : %s)", condition, yes, no);
	t = emit_temp(em);
	emit_line(em, "%s %s;", emit_c_type(e->type), t);
	emit_line(em, "if (%s) {", condition);
	text_add(em->out, yes_aside.s);
	emit_line(em, "\t%s = %s;", t, yes);
	emit_line(em, "} else {");
	text_add(em->out, no_aside.s);
	emit_line(em, "\t%s = %s;", t, no);
	emit_line(em, "}");
	return t;
}

const char *emit_condition(struct emitter *em, struct expr *e)
{
	return emit_expr(em, e);
}

/* ---- aggregates ---- */

static const char *stat_operator(enum stat_op op)
{
	static const char *const names[] = {
		[STAT_COUNT] = "TAP_COUNT", [STAT_SUM] = "TAP_SUM", [STAT_MIN] = "TAP_MIN",
		[STAT_MAX] = "TAP_MAX", [STAT_AVG] = "TAP_AVG", [STAT_VARIANCE] = "TAP_VARIANCE",
		[STAT_PERCENTILE] = "TAP_PERCENTILE", [STAT_HIST_LOG] = "TAP_HIST_LOG",
		[STAT_HIST_LINEAR] = "TAP_HIST_LINEAR",
	};
	return names[op];
}

const char *emit_stat_pointer(struct emitter *em, struct expr *e)
{
	const struct variable *v = expr_variable(e->stat.stat);
	const char *s;
	unsigned wild = 0;

	em->scratch_used = true;
	if (e->stat.stat->kind == EXPR_INDEX) {
		const char *keys = emit_keys(em, v, &e->stat.stat->index.keys, &wild);

		s = emit_temp(em);
		emit_line(em, "const struct tap_stat *%s = tap_map_read_stat(c, %s, %s);", s, v->c_name, keys);
	} else {
		s = emit_temp(em);
		emit_line(em, "const struct tap_stat *%s = tap_stat_read(c, %s, &shape_%s);", s,
			  cell_offset(em, v), v->c_name);
	}
	emit_check(em, emit_element_name(em, e->stat.stat), e->span);
	return s;
}

/* The merged copy is freed as soon as a number was read from it: it may be large. */
static const char *hold_scratch(struct emitter *em)
{
	const char *mark = emit_temp(em);

	emit_line(em, "char *%s = c->scratch;", mark);
	return mark;
}

static const char *emit_stat(struct emitter *em, struct expr *e)
{
	const struct variable *v = expr_variable(e->stat.stat);
	const char *mark = hold_scratch(em), *param = "0", *s, *t;

	if (e->stat.params.n)
		param = emit_before(em, e->stat.params.items[0], true);
	s = emit_stat_pointer(em, e);
	t = emit_temp(em);
	emit_line(em, "s64 %s = tap_stat_value(c, %s, &shape_%s, %s, %s);", t, s, v->c_name,
		  stat_operator(e->stat.op), param);
	emit_check(em, arena_printf(em->arena, "operator '@%s'", stat_op_name(e->stat.op)), e->span);
	emit_line(em, "c->scratch = %s;", mark);
	return t;
}

static const char *emit_hist_index(struct emitter *em, struct expr *e)
{
	struct expr *hist = e->hist_index.hist;
	const char *mark = hold_scratch(em), *bucket = emit_before(em, e->hist_index.bucket, true);
	const char *s = emit_stat_pointer(em, hist), *t = emit_temp(em);

	emit_line(em, "s64 %s = tap_hist_bucket(c, %s, &shape_%s.hists[%u], %s)%s;", t, s,
		  expr_variable(hist->stat.stat)->c_name, hist->stat.histogram, bucket,
		  e->hist_index.is_in ? " != 0" : "");
	emit_check(em, arena_printf(em->arena, "operator '@%s'", stat_op_name(hist->stat.op)), e->span);
	emit_line(em, "c->scratch = %s;", mark);
	return t;
}

/* ---- the rest ---- */

bool emit_has_wildcard(const expr_list *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		if (!keys->items[i])
			return true;
	return false;
}

static const char *emit_in(struct emitter *em, struct expr *e)
{
	const struct variable *v = e->in.array->name.variable;
	const char *keys, *t;
	unsigned wild = 0;

	if (v->type == TYPE_LONG && !emit_has_wildcard(&e->in.keys)) {
		bool exists;
		const char *pointer = element_find(em, v, &e->in.keys, &exists);

		return emit_hold(em, TYPE_LONG, arena_printf(em->arena, "%s != NULL", pointer));
	}
	keys = emit_keys(em, v, &e->in.keys, &wild);
	t = emit_temp(em);
	if (wild)
		emit_line(em, "s64 %s = tap_map_has_slice(c, %s, %s, %uu);", t, v->c_name, keys, wild);
	else
		emit_line(em, "s64 %s = tap_map_has(%s, %s);", t, v->c_name, keys);
	if (wild)
		emit_check(em, "operator 'in'", e->span);
	return t;
}

static const char *emit_match(struct emitter *em, struct expr *e)
{
	const char *subject = emit_expr(em, e->match.subject), *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "s64 %s = %stap_regex_match(c, &regex_%u, %s);", t, e->match.negated ? "!" : "",
		  e->match.regex, subject);
	emit_check(em, "operator '=~'", e->span);
	return t;
}

static const char *emit_filter(struct emitter *em, struct expr *e)
{
	const char *skb = emit_expr(em, e->filter.skb), *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "s64 %s = tap_packet_matches(c, &filter_%u, %s);", t, e->filter.number, skb);
	emit_check(em, "operator '@packet_matches'", e->span);
	return t;
}

static const char *emit_perf(struct emitter *em, struct expr *e)
{
	const struct site_counter *counter = NULL;
	const char *t = emit_temp(em);
	size_t row = 0;

	while (!(counter = site_counter(em->plan->rows.items[row].sites.items[0])) ||
	       !str_equal(counter->name, e->perf.name))
		row++;
	emit_line(em, "s64 %s = %s(c, %zu);", t, counter->read, row);
	emit_check(em, arena_printf(em->arena, "@perf(\"%s\")", e->perf.name), e->span);
	return t;
}

static const char *emit_value(struct emitter *em, struct expr *e, bool value_wanted)
{
	switch (e->kind) {
	case EXPR_NUMBER: return emit_number(em, e->number.value);
	case EXPR_STRING: return emit_literal(em, e);
	case EXPR_NAME: return emit_name(em, e);
	case EXPR_INDEX: return emit_index(em, e);
	case EXPR_UNARY: return emit_unary(em, e);
	case EXPR_BINARY: return emit_binary(em, e);
	case EXPR_LOGICAL: return emit_logical(em, e);
	case EXPR_TERNARY: return emit_ternary(em, e);
	case EXPR_ASSIGN: return emit_assign(em, e, value_wanted);
	case EXPR_STEP: return emit_step(em, e, value_wanted);
	case EXPR_IN: return emit_in(em, e);
	case EXPR_MATCH: return emit_match(em, e);
	case EXPR_FILTER: return emit_filter(em, e);
	case EXPR_CALL: return emit_call(em, e);
	case EXPR_PRINT: return emit_print(em, e);
	case EXPR_STAT: return emit_stat(em, e);
	case EXPR_HIST_INDEX: return emit_hist_index(em, e);
	case EXPR_EMBEDDED: return emit_embedded_expr(em, e);
	case EXPR_TARGET:
	case EXPR_ARROW: return emit_target(em, e);
	case EXPR_TYPE_OP: return emit_enumerator_name(em, e);
	case EXPR_PERF: return emit_perf(em, e);
	case EXPR_HIST: case EXPR_ADDRESS: case EXPR_ENTRY: case EXPR_DEFINED: case EXPR_PROBEWRITE:
		break;
	}
	fatal("an expression of kind %d reached emit", e->kind);
}

const char *emit_expr(struct emitter *em, struct expr *e)
{
	return emit_value(em, e, true);
}

void emit_effect(struct emitter *em, struct expr *e)
{
	emit_value(em, e, false);
}
