/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions on the syntax tree that do not depend on its meaning: creating, copying and walking nodes. */
#include "ast.h"

#include <string.h>

#include "base/arena.h"

static const char *const op_texts[] = {
	[OP_NONE] = "", [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/",
	[OP_MOD] = "%", [OP_SHL] = "<<", [OP_SHR] = ">>", [OP_USHR] = ">>>",
	[OP_AND] = "&", [OP_XOR] = "^",
	[OP_OR] = "|", [OP_CONCAT] = ".", [OP_EQ] = "==", [OP_NE] = "!=", [OP_LT] = "<",
	[OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_LAND] = "&&", [OP_LOR] = "||",
	[OP_NEG] = "-", [OP_PLUS] = "+", [OP_NOT] = "!", [OP_BITNOT] = "~", [OP_STAT_ADD] = "<<<",
};

const char *op_text(enum op op)
{
	return op_texts[op];
}

struct expr *expr_make(struct arena *a, enum expr_kind kind, struct span span)
{
	struct expr *e = arena_new(a, struct expr);

	e->kind = kind;
	e->span = span;
	return e;
}

struct stmt *stmt_make(struct arena *a, enum stmt_kind kind, struct span span)
{
	struct stmt *s = arena_new(a, struct stmt);

	s->kind = kind;
	s->span = span;
	return s;
}

/* ---- walking ---- */

struct visitor {
	void (*expr)(struct expr **, void *);
	void (*stmt)(struct stmt **, void *);
	void *data;
};

static void visit_expr(struct expr **e, const struct visitor *v)
{
	if (*e && v->expr)
		v->expr(e, v->data);
}

static void visit_stmt(struct stmt **s, const struct visitor *v)
{
	if (*s && v->stmt)
		v->stmt(s, v->data);
}

static void visit_list(expr_list *list, const struct visitor *v)
{
	vec_each(e, list)
		visit_expr(e, v);
}

static void visit_components(component_list *list, const struct visitor *v)
{
	vec_each(c, list)
		visit_expr(&c->index, v);
}

static void visit_parts(struct expr *e, const struct visitor *v)
{
	switch (e->kind) {
	case EXPR_NUMBER:
	case EXPR_STRING:
	case EXPR_NAME:
	case EXPR_PERF:
		break;
	case EXPR_EMBEDDED:
		visit_list(&e->embedded.parameters, v);
		break;
	case EXPR_INDEX:
		visit_expr(&e->index.array, v);
		visit_list(&e->index.keys, v);
		break;
	case EXPR_TARGET:
		visit_expr(&e->target.base, v);
		visit_components(&e->target.components, v);
		visit_expr(&e->target.pretty, v);
		break;
	case EXPR_ARROW:
		visit_expr(&e->arrow.base, v);
		visit_components(&e->arrow.components, v);
		visit_expr(&e->arrow.pretty, v);
		break;
	case EXPR_UNARY:
	case EXPR_ADDRESS:
		visit_expr(&e->unary.operand, v);
		break;
	case EXPR_BINARY:
	case EXPR_LOGICAL:
		visit_expr(&e->binary.left, v);
		visit_expr(&e->binary.right, v);
		break;
	case EXPR_TERNARY:
		visit_expr(&e->ternary.condition, v);
		visit_expr(&e->ternary.yes, v);
		visit_expr(&e->ternary.no, v);
		break;
	case EXPR_ASSIGN:
		visit_expr(&e->assign.left, v);
		visit_expr(&e->assign.right, v);
		break;
	case EXPR_STEP:
		visit_expr(&e->step.operand, v);
		break;
	case EXPR_IN:
		visit_list(&e->in.keys, v);
		visit_expr(&e->in.array, v);
		break;
	case EXPR_MATCH:
		visit_expr(&e->match.subject, v);
		break;
	case EXPR_FILTER:
		visit_expr(&e->filter.skb, v);
		break;
	case EXPR_CALL:
		visit_list(&e->call.args, v);
		break;
	case EXPR_PRINT:
		visit_list(&e->print.args, v);
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		visit_expr(&e->stat.stat, v);
		visit_list(&e->stat.params, v);
		break;
	case EXPR_HIST_INDEX:
		visit_expr(&e->hist_index.hist, v);
		visit_expr(&e->hist_index.bucket, v);
		break;
	case EXPR_ENTRY:
	case EXPR_DEFINED:
	case EXPR_PROBEWRITE:
		visit_expr(&e->operand.operand, v);
		break;
	case EXPR_TYPE_OP:
		visit_list(&e->type_op.args, v);
		break;
	}
}

void expr_each(struct expr *e, void (*visit)(struct expr **, void *), void *data)
{
	visit_parts(e, &(struct visitor){ .expr = visit, .data = data });
}

static void visit_foreach_exprs(struct foreach_stmt *f, const struct visitor *v)
{
	vec_each(key, &f->keys)
		visit_expr(key, v);
	visit_expr(&f->value, v);
	visit_expr(&f->array, v);
	visit_list(&f->slice, v);
	visit_expr(&f->limit, v);
}

static void visit_stmt_parts(struct stmt *s, const struct visitor *v)
{
	switch (s->kind) {
	case STMT_EMPTY:
	case STMT_BREAK:
	case STMT_CONTINUE:
	case STMT_NEXT:
		break;
	case STMT_BLOCK:
		vec_each(inner, &s->block)
			visit_stmt(inner, v);
		break;
	case STMT_EXPR:
	case STMT_RETURN:
	case STMT_DELETE:
		visit_expr(&s->expr, v);
		break;
	case STMT_IF:
		visit_expr(&s->if_.condition, v);
		visit_stmt(&s->if_.yes, v);
		visit_stmt(&s->if_.no, v);
		break;
	case STMT_WHILE:
	case STMT_FOR:
		visit_expr(&s->loop.start, v);
		visit_expr(&s->loop.condition, v);
		visit_expr(&s->loop.step, v);
		visit_stmt(&s->loop.body, v);
		break;
	case STMT_FOREACH:
		visit_foreach_exprs(&s->foreach, v);
		visit_stmt(&s->foreach.body, v);
		break;
	case STMT_TRY:
		visit_expr(&s->try_.message, v);
		visit_stmt(&s->try_.body, v);
		visit_stmt(&s->try_.handler, v);
		break;
	}
}

void stmt_each(struct stmt *s, void (*on_expr)(struct expr **, void *),
	       void (*on_stmt)(struct stmt **, void *), void *data)
{
	visit_stmt_parts(s, &(struct visitor){ on_expr, on_stmt, data });
}

/* ---- copying ---- */

/* Gives the vector its own copy of its elements. */
#define vec_copy(a, v)                                                                          \
	((v)->room = (v)->n,                                                                    \
	 (v)->items = (v)->n ? arena_grow((a), (v)->items, (v)->n * sizeof(*(v)->items),        \
					  (v)->n * sizeof(*(v)->items)) : NULL)

static void copy_lists(struct arena *a, struct expr *e)
{
	switch (e->kind) {
	case EXPR_INDEX:
		vec_copy(a, &e->index.keys);
		break;
	case EXPR_TARGET:
		vec_copy(a, &e->target.components);
		break;
	case EXPR_ARROW:
		vec_copy(a, &e->arrow.components);
		break;
	case EXPR_IN:
		vec_copy(a, &e->in.keys);
		break;
	case EXPR_CALL:
		vec_copy(a, &e->call.args);
		vec_copy(a, &e->call.candidates);
		break;
	case EXPR_PRINT:
		vec_copy(a, &e->print.args);
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		vec_copy(a, &e->stat.params);
		break;
	case EXPR_TYPE_OP:
		vec_copy(a, &e->type_op.args);
		break;
	default:
		break;
	}
}

static void copy_expr_at(struct expr **e, void *a)
{
	*e = expr_copy(a, *e);
}

bool embedded_says(const struct function *f, const char *word)
{
	return f->embedded && memmem(f->embedded, f->embedded_size, word, strlen(word));
}

bool function_is_scripts_c(const struct function *f)
{
	return f->embedded && !f->span.source->is_system;
}

bool function_is_inline(const struct function *f)
{
	return f->embedded && f->span.source->is_system && embedded_says(f, "/* inline */");
}

void expr_become_number(struct expr *e, int64_t value)
{
	*e = (struct expr){ .kind = EXPR_NUMBER, .type = TYPE_LONG, .span = e->span,
			    .number = { .value = value, .decided = true } };
}

struct expr *expr_copy(struct arena *a, const struct expr *e)
{
	struct expr *copy;

	if (!e)
		return NULL;
	copy = arena_new(a, struct expr);
	*copy = *e;
	copy_lists(a, copy);
	expr_each(copy, copy_expr_at, a);
	return copy;
}

static void copy_stmt_at(struct stmt **s, void *a)
{
	*s = stmt_copy(a, *s);
}

struct stmt *stmt_copy(struct arena *a, const struct stmt *s)
{
	struct stmt *copy;

	if (!s)
		return NULL;
	copy = arena_new(a, struct stmt);
	*copy = *s;
	if (s->kind == STMT_BLOCK)
		vec_copy(a, &copy->block);
	if (s->kind == STMT_FOREACH) {
		vec_copy(a, &copy->foreach.keys);
		vec_copy(a, &copy->foreach.slice);
	}
	stmt_each(copy, copy_expr_at, copy_stmt_at, a);
	return copy;
}

const char *stat_op_name(enum stat_op op)
{
	static const char *const names[] = {
		[STAT_NONE] = "", [STAT_COUNT] = "count", [STAT_SUM] = "sum", [STAT_MIN] = "min",
		[STAT_MAX] = "max", [STAT_AVG] = "avg", [STAT_VARIANCE] = "variance",
		[STAT_PERCENTILE] = "percentile", [STAT_HIST_LOG] = "hist_log",
		[STAT_HIST_LINEAR] = "hist_linear",
	};

	return names[op];
}

struct variable *expr_variable(const struct expr *e)
{
	if (e->kind == EXPR_NAME)
		return e->name.variable;
	if (e->kind == EXPR_INDEX && e->index.array->kind == EXPR_NAME)
		return e->index.array->name.variable;
	return NULL;
}

struct expr *expr_assigned(const struct expr *e)
{
	return e->kind == EXPR_ASSIGN ? e->assign.left : e->kind == EXPR_STEP ? e->step.operand : NULL;
}

bool expr_is_lvalue(const struct expr *e)
{
	return e->kind == EXPR_NAME || e->kind == EXPR_INDEX || e->kind == EXPR_TARGET ||
	       e->kind == EXPR_ARROW;
}
