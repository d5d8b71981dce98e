/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assignments and steps to C: of variables, array elements, aggregates, target variables, and values saved at a
 * function's entry for its return. */
#include "assign.h"

#include "element.h"
#include "expr.h"
#include "base/access.h"
#include "target.h"

void emit_store(struct emitter *em, struct expr *left, const char *value, bool value_is_literal)
{
	const struct variable *v = expr_variable(left);

	if (left->kind == EXPR_INDEX && v->type == TYPE_STRING) {
		unsigned wild = 0;
		const char *keys = emit_keys(em, v, &left->index.keys, &wild);

		emit_commit(em);
		emit_line(em, "tap_map_set_string(c, %s, %s, %s);", v->c_name, keys, value);
		emit_check(em, emit_element_name(em, left), left->span);
		return;
	}
	if (left->kind == EXPR_INDEX) {
		emit_line(em, "*%s = %s;", element_slot(em, left), value);
		return;
	}
	element_variable_changed(em, v);
	if (v->kind == VARIABLE_GLOBAL)
		emit_commit(em);
	if (v->type != TYPE_STRING) {
		emit_line(em, "%s = %s;", v->c_name, value);
	} else if (v->kind == VARIABLE_GLOBAL || v->kind == VARIABLE_ENTRY) {
		emit_line(em, "tap_cell_set(&%s.cell, %s);", v->c_name, value);
	} else if (value_is_literal) {
		emit_line(em, "%s = %s;", v->c_name, value);
	} else {
		emit_line(em, "%s = tap_string_store(%s_buffer, %s);", v->c_name, v->c_name, value);
	}
}

/* Does V need only SystemTap's @hist_log besides count, sum, min and max? */
static bool is_log(const struct variable *v)
{
	const struct histogram *h = v->histograms.items;

	return v->histograms.n == 1 && h->op == STAT_HIST_LOG && !h->low && !(v->stat_ops & 1u << STAT_VARIANCE);
}

static const char *stat_keys_kind(const struct variable *v)
{
	if (v->key_count > 1)
		return "";
	return v->key_types[0] == TYPE_STRING ? "_text" : "_number";
}

/* The keys of an array of aggregates; if there is only one it is its value. LATER: as for emit_keys_before. */
static const char *emit_stat_keys(struct emitter *em, const struct variable *v, const expr_list *keys, bool later)
{
	struct expr *only = keys->items[0];
	unsigned wild = 0;

	if (v->key_count > 1)
		return emit_keys_before(em, v, keys, &wild, later);
	return emit_hold(em, v->key_types[0], emit_before(em, only, later || emit_lies_in_element(only)));
}

static const char *emit_accumulate(struct emitter *em, struct expr *e)
{
	struct expr *left = e->assign.left;
	const struct variable *v = expr_variable(left);
	const char *keys = NULL, *value;

	if (left->kind == EXPR_INDEX)
		keys = emit_stat_keys(em, v, &left->index.keys, emit_has_effect(e->assign.right));
	value = emit_expr(em, e->assign.right);
	emit_commit(em);
	if (keys) {
		emit_line(em, "tap_map_add_stat%s(c, %s, %s, %s);", stat_keys_kind(v), v->c_name, keys, value);
		emit_check(em, emit_element_name(em, left), left->span);
	} else {
		emit_line(em, "tap_stat_add%s(&CELLS->%s.stat, &shape_%s, %s);", is_log(v) ? "_log" : "",
			  v->c_name, v->c_name, value);
	}
	return value;
}

/* The new value of x OP= VALUE, where x is a number at the C lvalue PLACE. */
static const char *modified(struct emitter *em, struct expr *e, const char *place, const char *value)
{
	if (e->assign.op == OP_NONE)
		return value;
	return emit_arithmetic(em, e->assign.op, place, value, e->assign.right, e->span);
}

static const char *assign_element(struct emitter *em, struct expr *e)
{
	struct expr *left = e->assign.left, *right = e->assign.right;
	const struct variable *v = expr_variable(left);
	bool has_effect = emit_has_effect(right);
	unsigned wild = 0;
	const char *keys = NULL, *value, *p;

	if (has_effect || v->type == TYPE_STRING || !element_is_steady(&left->index.keys))
		keys = emit_keys_before(em, v, &left->index.keys, &wild, has_effect);
	value = emit_expr(em, right);
	if (v->type == TYPE_STRING) {
		if (e->assign.op == OP_CONCAT) {
			p = emit_hold(em, TYPE_STRING, arena_printf(em->arena, "tap_map_get_string(%s, %s)",
							       v->c_name, keys));
			value = emit_concat(em, p, value, e->span);
		} else if (emit_lies_in_element(right)) {
			value = emit_hold_string(em, right, value);
		}
		emit_commit(em);
		emit_line(em, "tap_map_set_string(c, %s, %s, %s);", v->c_name, keys, value);
		emit_check(em, emit_element_name(em, left), left->span);
		return value;
	}
	/* with KEYS, they may have other values by now than when they were evaluated */
	value = emit_is_constant(right) ? value : emit_hold(em, TYPE_LONG, value);
	p = keys ? element_insert(em, left, keys) : element_slot(em, left);
	emit_line(em, "*%s = %s;", p, modified(em, e, arena_printf(em->arena, "*%s", p), value));
	return arena_printf(em->arena, "*%s", p);
}

static const char *assign_variable(struct emitter *em, struct expr *e)
{
	struct expr *left = e->assign.left, *right = e->assign.right;
	const struct variable *v = expr_variable(left);
	const struct global_plan *g = emit_global(em, v);
	const char *value = emit_expr(em, right), *place = v->c_name;

	if (v->type == TYPE_STRING) {
		if (e->assign.op == OP_CONCAT)
			value = emit_concat(em, emit_name(em, left), value, e->span);
		emit_store(em, left, value, right->kind == EXPR_STRING && e->assign.op == OP_NONE);
		return emit_name(em, left);
	}
	if (g && g->storage == STORAGE_COUNTER)
		place = arena_printf(em->arena, "CELLS->%s", v->c_name);
	value = modified(em, e, place, value);
	if (g)
		emit_commit(em);
	emit_line(em, "%s = %s;", place, value);
	element_variable_changed(em, v);
	return emit_name(em, left);
}

/* ".=" on a variable to which the family appends text itself. */
static const char *add_to_target(struct emitter *em, struct expr *e)
{
	const char *value = emit_expr(em, e->assign.right);

	emit_commit(em);
	emit_line(em, "%s(c, %s);", e->assign.left->target.access->add, value);
	return value;
}

static const char *assign_target(struct emitter *em, struct expr *e)
{
	struct emitted_target place = emit_target_place(em, e->assign.left, e->assign.op != OP_NONE);
	const char *value = emit_expr(em, e->assign.right);

	value = emit_hold(em, e->assign.left->type, modified(em, e, place.old, value));
	emit_target_store(em, e->assign.left, &place, value);
	return value;
}

/* In the handler of a function's entry: saves one value. */
static const char *assign_kept(struct emitter *em, struct expr *e)
{
	const struct variable *v = e->assign.left->name.variable;
	const char *value = emit_expr(em, e->assign.right), *kept = emit_temp(em);

	/* c->entry is read once: gcc must assume that the value is stored there */
	if (v->type == TYPE_STRING)
		emit_store(em, e->assign.left, value, false);
	emit_line(em, "struct entry_%u *%s = c->entry;", em->handler->handler->number - 1, kept);
	if (v->type != TYPE_STRING)
		emit_line(em, "%s->k%u = %s;", kept, v->number, value);
	emit_line(em, "%s->has |= 1ull << %u;", kept, v->number);
	return "0";
}

const char *emit_assign(struct emitter *em, struct expr *e, bool value_wanted)
{
	const char *value;

	if (e->assign.op == OP_STAT_ADD)
		return emit_accumulate(em, e);
	if (e->assign.left->kind == EXPR_TARGET && e->assign.op == OP_CONCAT)
		return add_to_target(em, e);
	if (e->assign.left->kind == EXPR_TARGET || e->assign.left->kind == EXPR_ARROW)
		return assign_target(em, e);
	if (e->assign.left->kind == EXPR_NAME && e->assign.left->name.variable->kind == VARIABLE_ENTRY)
		return assign_kept(em, e);
	value = e->assign.left->kind == EXPR_INDEX ? assign_element(em, e) : assign_variable(em, e);
	if (!value_wanted || e->type == TYPE_STRING)
		return value;
	return emit_hold(em, TYPE_LONG, value);
}

static const char *step_target(struct emitter *em, struct expr *e)
{
	struct expr *operand = e->step.operand;
	struct emitted_target place = emit_target_place(em, operand, true);
	const char *value = emit_hold(em, TYPE_LONG, arena_printf(em->arena, "tap_add(%s, %d)", place.old,
							    e->step.delta));

	emit_target_store(em, operand, &place, value);
	return e->step.before ? value : place.old;
}

const char *emit_step(struct emitter *em, struct expr *e, bool value_wanted)
{
	struct expr *operand = e->step.operand;
	const struct variable *v = expr_variable(operand);
	const struct global_plan *g = v ? emit_global(em, v) : NULL;
	const char *place, *old = NULL;

	if (operand->kind == EXPR_TARGET || operand->kind == EXPR_ARROW)
		return step_target(em, e);
	place = v->c_name;
	if (operand->kind == EXPR_INDEX)
		place = arena_printf(em->arena, "(*%s)", element_slot(em, operand));
	else if (g && g->storage == STORAGE_COUNTER)
		place = arena_printf(em->arena, "CELLS->%s", v->c_name);
	if (g && operand->kind != EXPR_INDEX)
		emit_commit(em);
	if (value_wanted && !e->step.before)
		old = emit_hold(em, TYPE_LONG, place);
	emit_line(em, "%s = tap_add(%s, %d);", place, place, e->step.delta);
	element_variable_changed(em, v);
	if (!value_wanted)
		return "0";
	return old ? old : emit_hold(em, TYPE_LONG, place);
}
