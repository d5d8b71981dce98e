/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which handlers a probed function may call directly. A handler is plain if it consists only of what is listed here:
 * anything else, whatever is added to the language, is not plain. */
#include "direct.h"

#include "plan.h"
#include "base/access.h"
#include "source/options.h"

struct direct_walk {
	const struct plan *plan;
	bool plain;
};

static bool is_local(const struct variable *v)
{
	return v && v->kind == VARIABLE_LOCAL && v->type == TYPE_LONG && v->key_count <= 0;
}

static bool is_counter(const struct plan *p, const struct variable *v)
{
	return v && v->kind == VARIABLE_GLOBAL && p->globals.items[v->number].storage == STORAGE_COUNTER;
}

static bool is_plain_step(const struct location_step *s)
{
	switch (s->op) {
	case LOCATION_CONST: case LOCATION_REGISTER: case LOCATION_ADD: case LOCATION_SUB: case LOCATION_MUL:
	case LOCATION_AND: case LOCATION_OR: case LOCATION_XOR: case LOCATION_NEG: case LOCATION_NOT:
	case LOCATION_SIGN: case LOCATION_ZERO:
		return true;
	default:
		return false;
	}
}

/* A number that is in registers. */
static bool is_plain_access(const struct access *a)
{
	if (!a || a->kind != ACCESS_NUMBER || a->from != ACCESS_FROM_LOCATION || !a->is_value || a->steps.n)
		return false;
	for (size_t i = 0; i < a->base.steps.n; i++)
		if (!is_plain_step(&a->base.steps.items[i]))
			return false;
	return true;
}

static bool is_plain_op(enum op op)
{
	return op != OP_DIV && op != OP_MOD && op != OP_CONCAT && op != OP_STAT_ADD;
}

/* The value of a change to a counter is used only by expressions that are not plain: choose_storage() in plan.c. */
static bool is_plain_change(const struct plan *p, const struct expr *left, enum op op, const struct expr *e)
{
	const struct variable *v = left->kind == EXPR_NAME ? left->name.variable : NULL;

	if (e->type != TYPE_LONG)
		return false;
	return (is_local(v) && is_plain_op(op)) || (is_counter(p, v) && (op == OP_ADD || op == OP_SUB));
}

static bool are_numbers(const struct expr *e)
{
	return e->binary.left->type == TYPE_LONG && e->binary.right->type == TYPE_LONG;
}

static bool is_plain_expr(const struct plan *p, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_NUMBER: return true;
	case EXPR_NAME: return is_local(e->name.variable);
	case EXPR_TARGET: return !e->target.pretty && is_plain_access(e->target.access);
	case EXPR_UNARY: return e->type == TYPE_LONG;
	case EXPR_BINARY:
		return is_plain_op(e->binary.op) && are_numbers(e);
	case EXPR_LOGICAL: return are_numbers(e);
	case EXPR_ASSIGN: return is_plain_change(p, e->assign.left, e->assign.op, e);
	case EXPR_STEP: return is_plain_change(p, e->step.operand, OP_ADD, e);
	default: return false;
	}
}

static void look_at_expr(struct expr **ep, void *data)
{
	struct direct_walk *w = data;
	struct expr *e = *ep;

	if (!e || !w->plain)
		return;
	w->plain = is_plain_expr(w->plan, e);
	if (e->kind == EXPR_ASSIGN)
		look_at_expr(&e->assign.right, w);
	else if (e->kind != EXPR_STEP && e->kind != EXPR_TARGET)
		expr_each(e, look_at_expr, w);
}

static void look_at_stmt(struct stmt **sp, void *data)
{
	struct direct_walk *w = data;
	struct stmt *s = *sp;

	if (!s || !w->plain)
		return;
	w->plain = s->kind == STMT_EMPTY || s->kind == STMT_BLOCK || s->kind == STMT_EXPR || s->kind == STMT_IF;
	if (w->plain && s->kind != STMT_EMPTY)
		stmt_each(s, look_at_expr, look_at_stmt, w);
}

static bool is_plain(const struct plan *p, const struct handler_plan *h)
{
	struct direct_walk w = { p, !h->locks.n && !h->changes_conditions };
	struct stmt *body = h->handler->body;

	look_at_stmt(&body, &w);
	return w.plain;
}

/* { try { kept = EXPRESSION } catch { } ... }, where each expression is a number that arguments decide. */
static bool is_plain_entry(const struct plan *p, const struct handler_plan *h)
{
	vec_each(s, &h->handler->body->block) {
		struct stmt *set = (*s)->kind == STMT_TRY ? (*s)->try_.body : NULL;
		struct direct_walk w = { p, true };

		if (!set || set->kind != STMT_EXPR || set->expr->kind != EXPR_ASSIGN || set->expr->type != TYPE_LONG)
			return false;
		look_at_expr(&set->expr->assign.right, &w);
		if (!w.plain)
			return false;
	}
	return true;
}

static const char *why_not_direct(const struct effects *e)
{
	if (e->sets_target)
		return "the handler assigns to a target variable";
	if (e->regs & ~(unsigned)TAP_PROBE_REGS)
		return "the handler reads all registers";
	return NULL;
}

static const char *why_not_gated(const struct effects *e)
{
	const char *why = why_not_direct(e);

	return why || !e->calls_regs ? why : "a function that the handler calls reads registers";
}

struct gated plan_gated(const struct plan *p, const struct handler_plan *h, const struct effects *effects,
			const struct effects *entry)
{
	const char *why = why_not_gated(effects);
	bool possible;

	if (!why && entry)
		why = why_not_gated(entry);
	possible = options_direct(p->options) && !h->is_entry && !why;
	return (struct gated){ possible, why, possible && entry && is_plain_entry(p, &p->handlers.items[h->entry]) };
}

enum direct plan_direct(const struct plan *p, const struct handler_plan *h, const struct effects *effects,
			const char **why)
{
	*why = h->entry >= 0 ? "the handler keeps values for a return" : why_not_direct(effects);
	if (!options_direct(p->options) || h->is_entry || *why)
		return DIRECT_NEVER;
	if (is_plain(p, h))
		return DIRECT_PLAIN;
	return effects->regs ? DIRECT_REGS : DIRECT_BARE;
}
