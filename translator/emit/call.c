/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to C: arguments that keep the values they had when they were evaluated, overloads that end with 'next',
 * errors that list the calls which led to them. */
#include "call.h"

#include <string.h>

#include "element.h"
#include "expr.h"
#include "base/util.h"

struct call_at_hand {
	const struct plan *plan;
	const struct expr *call;
};

static bool is_changed_by(const struct expr *e, const void *data)
{
	const struct call_at_hand *at = data;
	const struct variable *v = expr_variable(e);

	if (!v || v->kind != VARIABLE_GLOBAL)
		return false;
	vec_each(f, &at->call->call.candidates)
		if (at->plan->function_effects[(*f)->number].use[v->number] & EFFECT_ASSIGN)
			return true;
	return false;
}

/* Is ARG a string in a global that the function may change? */
static bool may_change_under(const struct emitter *em, const struct expr *call, const struct expr *arg)
{
	const struct call_at_hand at = { em->plan, call };

	return arg->type == TYPE_STRING && emit_any_origin(arg, is_changed_by, &at);
}

static const char *emit_arguments(struct emitter *em, struct expr *e)
{
	struct text args;

	text_init(&args, em->arena);
	text_char(&args, 'c');
	for (size_t i = 0; i < e->call.args.n; i++) {
		struct expr *arg = e->call.args.items[i];
		const char *value = emit_before(em, arg, emit_any_effect(&e->call.args, i + 1));

		if (may_change_under(em, e, arg))
			value = emit_hold_string(em, arg, value);
		text_printf(&args, ", %s", value);
	}
	return args.s;
}

static bool returns_value(const struct function *f)
{
	return f->type == TYPE_LONG || f->type == TYPE_STRING;
}

static bool may_fail(const struct emitter *em, const struct function *f)
{
	(void)em;
	return !(f->span.source->is_system && embedded_says(f, "/* infallible */"));
}

/* The error has its position already; adds the call after it. */
static void check_inside(struct emitter *em, const struct expr *e, const struct function *f)
{
	const char *call = arena_printf(em->arena, "%s called at %s", f->name, span_position(em->arena, e->span));

	em->fail_used = true;
	emit_line(em, "if (tap_unlikely(c->error)) {");
	emit_line(em, "\ttap_called(c, %s);", emit_c_string(em, call, strlen(call)));
	emit_line(em, "\tgoto %s;", em->fail);
	emit_line(em, "}");
}

/* After a call: an error in C code, or in a tapset, is reported at the call in the script. */
static void check_call(struct emitter *em, const struct expr *e, const struct function *f)
{
	bool here = f->embedded || (f->span.source->is_library && !e->span.source->is_library);

	if (!may_fail(em, f))
		return;
	if (here)
		emit_check(em, arena_printf(em->arena, "identifier '%s'", f->name), e->span);
	else
		check_inside(em, e, f);
}

static void emit_one_call(struct emitter *em, struct expr *e, const struct function *f, const char *args,
			  const char *result)
{
	if (plan_c_has_effect(f))
		emit_commit(em);
	if (returns_value(f) && result)
		emit_line(em, "%s = %s(%s);", result, f->c_name, args);
	else
		emit_line(em, "%s(%s);", f->c_name, args);
	check_call(em, e, f);
}

/* Calls the overloads in order, as long as each ends with 'next'. */
static void emit_overloads(struct emitter *em, struct expr *e, const char *args, const char *result)
{
	size_t n = e->call.candidates.n;

	for (size_t i = 0; i < n; i++) {
		const struct function *f = e->call.candidates.items[i];

		emit_one_call(em, e, f, args, result);
		if (!f->calls_next)
			break;
		emit_line(em, "if (c->stop_next) {");
		em->indent++;
		emit_line(em, "c->stop_next = false;");
		if (i + 1 == n) {
			emit_line(em, "tap_error(c, \"all overloads of '%s' said 'next'\");", f->name);
			emit_check(em, arena_printf(em->arena, "identifier '%s'", f->name), e->span);
		}
	}
	for (size_t i = 0; i < n && e->call.candidates.items[i]->calls_next; i++) {
		em->indent--;
		emit_line(em, "}");
	}
}

/* The first overload that returns a value; the others only end with 'next'. */
static const struct function *valued_candidate(const struct expr *e)
{
	vec_each(f, &e->call.candidates)
		if (returns_value(*f))
			return *f;
	return e->call.candidates.items[0];
}

const char *emit_call(struct emitter *em, struct expr *e)
{
	const struct function *first = valued_candidate(e);
	const char *args = emit_arguments(em, e), *result = NULL;

	em->scratch_used |= first->type == TYPE_STRING;
	vec_each(f, &e->call.candidates)
		em->scratch_used |= function_is_scripts_c(*f);	/* it copies its string arguments */
	if (returns_value(first) && (!e->call.is_statement || e->call.candidates.n > 1)) {
		result = emit_temp(em);
		if (e->call.candidates.n == 1 && !first->calls_next) {
			if (plan_c_has_effect(first))
				emit_commit(em);
			emit_line(em, "%s %s = %s(%s);", emit_c_type(first->type), result, first->c_name, args);
			check_call(em, e, first);
			element_called(em, e);
			return result;
		}
		emit_line(em, "%s %s = %s;", emit_c_type(first->type), result,
			  first->type == TYPE_STRING ? "TAP_EMPTY" : "0");
	}
	emit_overloads(em, e, args, result);
	element_called(em, e);
	return result ? result : "0";
}
