/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "effects.h"

#include <string.h>

#include "base/access.h"
#include "base/util.h"

struct effect_walk {
	const struct plan *plan;
	struct effects *out;
};

static void walk_expr(struct expr **ep, void *data);

static void note_variable(struct effect_walk *w, const struct expr *e, unsigned use)
{
	const struct variable *v = e ? expr_variable(e) : NULL;

	if (v && v->kind == VARIABLE_GLOBAL)
		w->out->use[v->number] |= (unsigned char)use;
}

void effects_add(const struct plan *p, struct effects *to, const struct effects *from)
{
	for (size_t i = 0; i < p->globals.n; i++)
		to->use[i] |= from->use[i];
	to->loops |= from->loops;
	to->prints |= from->prints;
	to->impure = to->impure ? to->impure : from->impure;
	to->regs |= from->regs;
	to->calls_regs |= from->calls_regs;
	to->sets_target |= from->sets_target;
	to->user_stack |= from->user_stack;
	to->user_memory |= from->user_memory;
}

/* C code of tapsets declares that it reads registers. "call": the arguments at a function's entry, the result at its
 * return; and no others, as these are all that a direct call has. */
static unsigned regs_of(const struct function *f)
{
	if (embedded_says(f, "/* overrides */"))
		return TAP_PROBE_ALL_REGS | TAP_PROBE_OVERRIDE;
	if (embedded_says(f, "/* all registers */"))
		return TAP_PROBE_ALL_REGS;
	return embedded_says(f, "/* registers */") || embedded_says(f, "/* call registers */") ? TAP_PROBE_REGS : 0;
}

/* C code accesses globals only through these functions. */
void effects_add_accessors(const struct plan *p, struct effects *out, const function_list *accessors)
{
	for (size_t i = 0; p->function_effects && i < accessors->n; i++)
		effects_add(p, out, &p->function_effects[accessors->items[i]->number]);
}

bool effects_c_prints(const struct function *f)
{
	return f->embedded && (function_is_scripts_c(f) ||
			       !(embedded_says(f, "/* pure */") || embedded_says(f, "/* silent */")));
}

static void note_call(struct effect_walk *w, const struct expr *e)
{
	vec_each(f, &e->call.candidates) {
		if (w->plan->function_effects)
			effects_add(w->plan, w->out, &w->plan->function_effects[(*f)->number]);
		w->out->prints |= effects_c_prints(*f);
		/* Assume that a script's C code loops. */
		if (function_is_scripts_c(*f))
			w->out->loops = true, w->out->regs |= TAP_PROBE_ALL_REGS;
		if ((*f)->embedded && !embedded_says(*f, "/* pure */"))
			w->out->impure = (*f)->name;
		w->out->regs |= regs_of(*f);
		w->out->calls_regs |= regs_of(*f) && !embedded_says(*f, "/* call registers */");
		w->out->user_stack |= embedded_says(*f, "/* user stack */");
		w->out->user_memory |= embedded_says(*f, "/* user memory */");
	}
}

static void walk_value(struct effect_walk *w, struct expr *e, bool value_used);

static void note_assign(struct effect_walk *w, struct expr *left, enum op op, bool value_used)
{
	const struct variable *v = expr_variable(left);
	bool adds = (op == OP_ADD || op == OP_SUB) && left->kind == EXPR_NAME && !value_used;

	if (op == OP_STAT_ADD)
		note_variable(w, left, EFFECT_ACCUMULATE);
	else if (adds && v && v->type == TYPE_LONG)
		note_variable(w, left, EFFECT_STEP);
	else
		note_variable(w, left, EFFECT_WRITE | EFFECT_ASSIGN | (op != OP_NONE ? EFFECT_READ : 0));
	if (left->kind == EXPR_TARGET || left->kind == EXPR_ARROW) {
		w->out->sets_target = true;
		walk_value(w, left, true);
	}
	if (left->kind == EXPR_INDEX)
		vec_each(key, &left->index.keys)
			if (*key)
				walk_expr(key, w);
}

/* %#m and %#M */
static bool prints_user_memory(const struct expr *e)
{
	const char *at = e->print.format, *end = at + e->print.format_size;

	while (at < end && (at = memchr(at, '%', (size_t)(end - at)))) {
		size_t n = strspn(++at, "#0- +0123456789.*");

		if (memchr(at, '#', n) && (at[n] == 'm' || at[n] == 'M'))
			return true;
		at += n + (at[n] == '%');
	}
	return false;
}

static bool loads(const struct location *l)
{
	vec_each(s, &l->steps)
		if (s->op == LOCATION_LOAD)
			return true;
	return false;
}

static bool reads_user_memory(const struct access *a)
{
	return a && a->user && a->kind != ACCESS_CALL &&
	       (a->steps.n || loads(&a->base) || a->kind == ACCESS_TEXT || a->kind == ACCESS_TEXT_OR_ADDRESS ||
		(!a->is_value && a->kind != ACCESS_ADDRESS));
}

static unsigned slice_of(const expr_list *keys)
{
	vec_each(key, keys)
		if (!*key)
			return EFFECT_SLICE;
	return 0;
}

static void walk_value(struct effect_walk *w, struct expr *e, bool value_used)
{
	switch (e->kind) {
	case EXPR_NAME:
	case EXPR_INDEX:
		note_variable(w, e, EFFECT_READ);
		break;
	case EXPR_ASSIGN:
		walk_value(w, e->assign.right, true);
		note_assign(w, e->assign.left, e->assign.op, value_used);
		return;
	case EXPR_STEP:
		note_assign(w, e->step.operand, OP_ADD, value_used);
		return;
	case EXPR_IN:
		note_variable(w, e->in.array, EFFECT_READ | slice_of(&e->in.keys));
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		note_variable(w, e->stat.stat, EFFECT_READ);
		break;
	case EXPR_CALL:
		note_call(w, e);
		break;
	case EXPR_EMBEDDED:
		effects_add_accessors(w->plan, w->out, &e->embedded.accessors);
		w->out->regs |= TAP_PROBE_ALL_REGS;
		w->out->prints = true;
		if (!e->embedded.is_pure)
			w->out->impure = "%{ %}";
		break;
	case EXPR_PRINT:
		w->out->prints |= !e->print.op.to_string;
		w->out->user_memory |= e->print.op.has_format && prints_user_memory(e);
		break;
	case EXPR_ARROW:
		w->out->user_memory |= reads_user_memory(e->arrow.access);
		break;
	case EXPR_TARGET:
		w->out->user_memory |= reads_user_memory(e->target.access);
		w->out->regs |= e->target.access ? e->target.access->regs : 0;
		break;
	default:
		break;
	}
	expr_each(e, walk_expr, w);
}

static void walk_expr(struct expr **ep, void *data)
{
	if (*ep)
		walk_value(data, *ep, true);
}

static void walk_stmt(struct stmt **sp, void *data)
{
	struct effect_walk *w = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_EXPR) {
		walk_value(w, s->expr, false);
		return;
	}
	if (s->kind == STMT_WHILE || s->kind == STMT_FOR || s->kind == STMT_FOREACH)
		w->out->loops = true;
	if (s->kind == STMT_FOREACH && s->foreach.array->kind == EXPR_NAME)
		note_variable(w, s->foreach.array, EFFECT_FOREACH | EFFECT_READ);
	if (s->kind == STMT_FOREACH) {
		vec_each(key, &s->foreach.keys)
			note_variable(w, *key, EFFECT_WRITE | EFFECT_ASSIGN);
		note_variable(w, s->foreach.value, EFFECT_WRITE | EFFECT_ASSIGN);
	}
	if (s->kind == STMT_FOR && s->loop.start)
		walk_value(w, s->loop.start, false);
	if (s->kind == STMT_FOR && s->loop.step)
		walk_value(w, s->loop.step, false);
	if (s->kind == STMT_DELETE) {
		note_variable(w, s->expr, EFFECT_WRITE | EFFECT_ASSIGN |
					  (s->expr->kind == EXPR_INDEX ? slice_of(&s->expr->index.keys) : 0));
		w->out->loops |= s->expr->kind == EXPR_NAME;
	}
	if (s->kind == STMT_TRY && s->try_.message)
		note_variable(w, s->try_.message, EFFECT_WRITE | EFFECT_ASSIGN);
	stmt_each(s, s->kind == STMT_DELETE && s->expr->kind == EXPR_NAME ? NULL : walk_expr, walk_stmt, w);
}

struct effects effects_none(const struct plan *p)
{
	return (struct effects){
		.use = arena_array(p->arena, unsigned char, p->globals.n + 1) };
}

struct effects plan_effects(const struct plan *p, struct stmt *s)
{
	struct effects e = effects_none(p);
	struct effect_walk w = { p, &e };

	walk_stmt(&s, &w);
	return e;
}

void plan_expr_effects(const struct plan *p, struct expr *e, struct effects *out)
{
	struct effect_walk w = { p, out };

	if (!out->use)
		*out = effects_none(p);
	walk_expr(&e, &w);
}

void plan_function_effects(struct plan *p)
{
	struct arena *a = p->arena;
	function_list *functions = &p->program->functions;
	bool changed = true;

	p->function_effects = arena_array(a, struct effects, functions->n + 1);
	for (size_t i = 0; i < functions->n; i++)
		p->function_effects[i] = effects_none(p);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < functions->n; i++) {
			struct function *f = functions->items[i];
			struct effects now;

			now = f->body ? plan_effects(p, f->body) : effects_none(p);
			effects_add_accessors(p, &now, &f->accessors);
			if (memcmp(now.use, p->function_effects[i].use, p->globals.n) ||
			    now.loops != p->function_effects[i].loops ||
			    now.prints != p->function_effects[i].prints ||
			    now.impure != p->function_effects[i].impure ||
			    now.sets_target != p->function_effects[i].sets_target ||
			    now.user_stack != p->function_effects[i].user_stack ||
			    now.user_memory != p->function_effects[i].user_memory ||
			    now.calls_regs != p->function_effects[i].calls_regs ||
			    now.regs != p->function_effects[i].regs)
				changed = true;
			p->function_effects[i] = now;
		}
	}
}

/* ---- recursion ---- */

struct call_walk {
	const struct plan *plan;
	bool *seen;
};

static void follow_stmt(struct stmt **sp, void *data);

static void follow_expr(struct expr **ep, void *data)
{
	struct call_walk *w = data;

	if (!*ep)
		return;
	if ((*ep)->kind == EXPR_CALL)
		vec_each(f, &(*ep)->call.candidates) {
			if (w->seen[(*f)->number] || !(*f)->body)
				continue;
			w->seen[(*f)->number] = true;
			follow_stmt(&(*f)->body, w);
		}
	expr_each(*ep, follow_expr, w);
}

static void follow_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, follow_expr, follow_stmt, data);
}

/* The functions that F calls, directly or through others, by number. */
static const bool *called_from(const struct plan *p, struct function *f)
{
	struct call_walk w = { p, arena_array(p->arena, bool, p->program->functions.n + 1) };

	follow_stmt(&f->body, &w);
	return w.seen;
}

void plan_recursion(struct plan *p)
{
	struct arena *a = p->arena;
	size_t n = p->program->functions.n;
	const bool **called = arena_array(a, const bool *, n + 1);

	p->cycles = arena_array(a, unsigned, n + 1);
	for (size_t i = 0; i < n; i++) {
		called[i] = called_from(p, p->program->functions.items[i]);
		/* A recursion counts as a loop: MAXNESTING limits it. */
		p->function_effects[i].loops |= called[i][i];
		for (size_t j = 0; j <= i && !p->cycles[i]; j++)
			if (called[i][j] && called[j][i])
				p->cycles[i] = (unsigned)j + 1;
	}
}
