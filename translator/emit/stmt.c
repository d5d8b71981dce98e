/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements to C. They use C's own control flow, with labels: a loop over an array has an iterator that
 * must be closed on every way out, and an error jumps to the innermost catch, or out of the body. */

#include "stmt.h"

#include <string.h>

#include "assign.h"
#include "element.h"
#include "expr.h"
#include "plan/cost.h"
#include "plan/effects.h"
#include "plan/region.h"
#include "base/util.h"
#include "plan/limits.h"

static const char *new_label(struct emitter *em, const char *name)
{
	return arena_printf(em->arena, "%s_%u", name, ++em->next_label);
}

/* At the end of each round of LOOP. */
static void emit_action(struct emitter *em, struct stmt *loop)
{
	const char *where = arena_printf(em->arena, "loop at %s", span_position(em->arena, loop->span));

	em->fail_used = true;
	emit_line(em, "if (tap_unlikely(!tap_action(c, %u))) {", cost_of_round(em->plan, loop));
	emit_line(em, "\tc->where = %s;", emit_c_string(em, where, strlen(where)));
	emit_line(em, "\tgoto %s;", em->fail);
	emit_line(em, "}");
}

/* ---- leaving ---- */

static void close_iterators(struct emitter *em, const struct open_loop *until)
{
	for (const struct open_loop *l = em->loops; l && l != until; l = l->outer)
		if (l->iterator)
			emit_line(em, "tap_foreach_end(c, %s);", l->iterator);
}

static void leave(struct emitter *em)
{
	close_iterators(em, NULL);
	em->out_used = true;
	emit_line(em, "goto out;");
}

static void emit_next(struct emitter *em)
{
	if (em->function)
		emit_line(em, "c->stop_next = true;");
	leave(em);
}

static void emit_return(struct emitter *em, struct stmt *s)
{
	if (s->expr)
		emit_line(em, "result = %s;", emit_expr(em, s->expr));
	leave(em);
}

/* ---- if ---- */

/* The condition's temporaries are freed before the branches begin. */
static const char *emit_decision(struct emitter *em, struct expr *condition)
{
	bool before = em->scratch_used;
	struct text *out = em->out, aside;
	const char *value, *t, *mark;

	text_init(&aside, em->arena);
	em->out = &aside;
	em->scratch_used = false;
	em->indent++;
	value = emit_condition(em, condition);
	em->indent--;
	em->out = out;
	if (!em->scratch_used) {
		em->scratch_used = before;
		/* Its statements need no block: their temporaries are unique in the function. */
		text_add(em->out, aside.s);
		return value;
	}
	t = emit_temp(em);
	mark = emit_temp(em);
	emit_line(em, "bool %s;", t);
	emit_line(em, "{");
	emit_line(em, "\tchar *%s = c->scratch;", mark);
	text_add(em->out, aside.s);
	emit_line(em, "\t%s = !!%s;", t, value);
	emit_line(em, "\tc->scratch = %s;", mark);
	emit_line(em, "}");
	em->scratch_used = before;
	return t;
}

/* ---- loops ---- */

static struct open_loop open_loop(struct emitter *em, const char *iterator)
{
	return (struct open_loop){ .outer = em->loops, .iterator = iterator,
				   .continue_label = new_label(em, "again"),
				   .break_label = new_label(em, "done") };
}

static void emit_loop_body(struct emitter *em, struct open_loop *loop, struct stmt *body)
{
	em->loops = loop;
	emit_statement(em, body);
	em->loops = loop->outer;
	element_forget_all(em);
	if (loop->continue_used)
		emit_line(em, "%s:;", loop->continue_label);
}

static void emit_for_effect(struct emitter *em, struct expr *e, struct span at)
{
	emit_statement(em, &(struct stmt){ .kind = STMT_EXPR, .span = at, .expr = e });
}

static void emit_loop(struct emitter *em, struct stmt *s)
{
	struct open_loop loop = open_loop(em, NULL);

	if (s->loop.start)
		emit_for_effect(em, s->loop.start, s->span);
	element_forget_all(em);
	emit_line(em, "for (;;) {");
	em->indent++;
	if (s->loop.condition) {
		emit_line(em, "if (!%s)", emit_decision(em, s->loop.condition));
		emit_line(em, "\tbreak;");
	}
	emit_loop_body(em, &loop, s->loop.body);
	if (s->loop.step)
		emit_for_effect(em, s->loop.step, s->span);
	emit_action(em, s);
	element_forget_all(em);
	em->indent--;
	emit_line(em, "}");
	if (loop.break_used)
		emit_line(em, "%s:;", loop.break_label);
}

static void emit_jump(struct emitter *em, struct stmt *s)
{
	if (s->kind == STMT_BREAK) {
		em->loops->break_used = true;
		emit_line(em, "goto %s;", em->loops->break_label);
	} else {
		em->loops->continue_used = true;
		emit_line(em, "goto %s;", em->loops->continue_label);
	}
}

/* ---- foreach ---- */

static const char *stat_constant(enum stat_op op)
{
	switch (op) {
	case STAT_SUM: return "TAP_SUM";
	case STAT_MIN: return "TAP_MIN";
	case STAT_MAX: return "TAP_MAX";
	case STAT_AVG: return "TAP_AVG";
	case STAT_VARIANCE: return "TAP_VARIANCE";
	default: return "TAP_COUNT";
	}
}

static void assign_loop_variable(struct emitter *em, struct expr *name, const char *kind,
				 const char *iterator, int key)
{
	const char *type = name->name.variable->type == TYPE_STRING ? "string" : "long", *value;

	if (key < 0)
		value = arena_printf(em->arena, "tap_foreach_%s(%s)", type, iterator);
	else
		value = arena_printf(em->arena, "tap_foreach_%s_%s(%s, %d)", kind, type, iterator, key);
	emit_store(em, name, value, false);
}

/* foreach (v = k in a) over aggregates: v is their count, or the value by which they are sorted. */
static void assign_stat_value(struct emitter *em, struct foreach_stmt *f, const char *iterator)
{
	const struct variable *array = f->array->name.variable;
	const char *t = emit_temp(em), *mark = emit_temp(em);

	emit_line(em, "char *%s = c->scratch;", mark);
	emit_line(em, "s64 %s = tap_stat_value(c, tap_foreach_stat(c, %s), &shape_%s, %s, 0);", t, iterator,
		  array->c_name, stat_constant(f->sort_op));
	emit_check(em, "foreach", f->value->span);
	emit_line(em, "c->scratch = %s;", mark);
	emit_store(em, f->value, t, false);
}

static void assign_loop_variables(struct emitter *em, struct foreach_stmt *f, const char *iterator)
{
	for (size_t i = 0; i < f->keys.n; i++)
		assign_loop_variable(em, f->keys.items[i], "key", iterator, (int)i);
	if (!f->value)
		return;
	if (f->array->name.variable->type == TYPE_STATS)
		assign_stat_value(em, f, iterator);
	else
		assign_loop_variable(em, f->value, "", iterator, -1);
}

static const char *open_iterator(struct emitter *em, struct foreach_stmt *f, struct span at)
{
	const struct variable *v = f->array->name.variable;
	const char *limit = f->limit ? emit_expr(em, f->limit) : "-1", *keys = "NULL", *it = emit_temp(em);
	unsigned wild = 0;
	char wild_text[16] = "~0u";

	if (f->slice.n) {
		keys = emit_slice(em, v, &f->slice, &wild);
		snprintf(wild_text, sizeof(wild_text), "%uu", wild);
	}
	emit_line(em, "struct tap_iterator *%s = tap_foreach(c, %s, (struct tap_order){ %d, %d, %s, 0 }, "
		  "%s, %s, %s);", it, v->c_name, f->direction ? f->sort_key : -1, f->direction,
		  stat_constant(f->sort_op), limit, keys, wild_text);
	emit_check(em, arena_printf(em->arena, "foreach over '%s'", v->name), at);
	return it;
}

static void emit_foreach_array(struct emitter *em, struct stmt *s)
{
	struct foreach_stmt *f = &s->foreach;
	const char *it = open_iterator(em, f, s->span), *outer_fail = em->fail;
	struct open_loop loop = open_loop(em, it);
	bool outer_used = em->fail_used;

	em->fail = new_label(em, "fail");
	em->fail_used = false;
	element_forget_all(em);
	emit_line(em, "while (tap_foreach_next(c, %s)) {", it);
	em->indent++;
	assign_loop_variables(em, f, it);
	emit_loop_body(em, &loop, f->body);
	emit_action(em, s);
	em->indent--;
	emit_line(em, "}");
	if (loop.break_used)
		emit_line(em, "%s:;", loop.break_label);
	emit_check(em, "foreach", s->span);
	emit_line(em, "tap_foreach_end(c, %s);", it);
	if (em->fail_used) {
		emit_line(em, "if (0) {");
		emit_line(em, "%s:", em->fail);
		emit_line(em, "\ttap_foreach_end(c, %s);", it);
		emit_line(em, "\tgoto %s;", outer_fail);
		emit_line(em, "}");
		outer_used = true;
	}
	em->fail = outer_fail;
	em->fail_used = outer_used;
}

/* foreach (b in @hist_log(x)): b runs over all buckets, including the empty and the outer ones. */
static void emit_foreach_histogram(struct emitter *em, struct stmt *s)
{
	struct foreach_stmt *f = &s->foreach;
	const struct variable *v = expr_variable(f->array->stat.stat);
	long long last = plan_histogram_buckets(&v->histograms.items[f->array->stat.histogram]) - 1;
	const char *limit = f->limit ? emit_expr(em, f->limit) : NULL, *stat = emit_stat_pointer(em, f->array),
		   *left = emit_temp(em), *bucket = emit_temp(em);
	struct open_loop loop = open_loop(em, NULL);

	emit_line(em, "s64 %s = %s, %s = %lld;", left, limit ? limit : arena_printf(em->arena, "%lld", last + 1),
		  bucket, f->direction < 0 ? last : 0);
	emit_line(em, "for (; %s <= %lld && %s >= 0 && %s-- > 0; %s%s) {", bucket, last, bucket, left, bucket,
		  f->direction < 0 ? "--" : "++");
	em->indent++;
	element_forget_all(em);
	emit_store(em, f->keys.items[0], bucket, false);
	if (f->value)
		emit_store(em, f->value, arena_printf(em->arena, "tap_hist_count(%s, &shape_%s.hists[%u], %s)", stat,
						      v->c_name, f->array->stat.histogram, bucket), false);
	emit_loop_body(em, &loop, f->body);
	emit_action(em, s);
	em->indent--;
	emit_line(em, "}");
	if (loop.break_used)
		emit_line(em, "%s:;", loop.break_label);
}

/* ---- try ---- */

static void emit_catch(struct emitter *em, struct stmt *s, const char *mark)
{
	element_forget_all(em);
	emit_line(em, "c->scratch = %s;", mark);
	if (s->try_.message)
		emit_store(em, s->try_.message, "tap_catch(c)", false);
	else
		emit_line(em, "tap_catch(c);");
	emit_line(em, "c->scratch = %s;", mark);
	emit_statement(em, s->try_.handler);
	element_forget_all(em);
}

static void emit_try(struct emitter *em, struct stmt *s)
{
	const char *outer_fail = em->fail, *mark = emit_temp(em), *done = new_label(em, "tried");
	bool outer_used = em->fail_used;

	em->fail = new_label(em, "catch");
	em->fail_used = false;
	emit_line(em, "char *%s = c->scratch;", mark);
	emit_statement(em, s->try_.body);
	if (em->fail_used) {
		emit_line(em, "goto %s;", done);
		emit_line(em, "%s:", em->fail);
		emit_line(em, "if (!tap_catchable(c))");
		emit_line(em, "\tgoto %s;", outer_fail);
		em->fail = outer_fail;
		em->fail_used = true;
		emit_catch(em, s, mark);
		emit_line(em, "%s:;", done);
	} else {
		em->fail = outer_fail;
		em->fail_used = outer_used;
	}
}

/* ---- delete ---- */

static void delete_element(struct emitter *em, struct expr *e)
{
	const struct variable *v = expr_variable(e);
	unsigned wild = 0;
	const char *keys;

	if (!emit_has_wildcard(&e->index.keys)) {
		element_delete(em, e);
		return;
	}
	keys = emit_keys(em, v, &e->index.keys, &wild);
	element_array_changed(em, v);
	emit_commit(em);
	emit_line(em, "tap_map_delete_slice(c, %s, %s, %uu);", v->c_name, keys, wild);
	emit_check(em, "operator 'delete'", e->span);
}

static void clear_array(struct emitter *em, const struct variable *v)
{
	emit_commit(em);
	emit_line(em, "tap_map_clear(%s);", v->c_name);
	element_array_changed(em, v);
}

static void clear_stat(struct emitter *em, const struct variable *v)
{
	emit_commit(em);
	emit_line(em, "tap_stat_clear(c, __builtin_offsetof(struct cells, %s), &shape_%s);", v->c_name, v->c_name);
}

static void emit_delete(struct emitter *em, struct expr *e)
{
	const struct variable *v = expr_variable(e);
	const struct global_plan *g = emit_global(em, v);

	if (e->kind == EXPR_INDEX)
		delete_element(em, e);
	else if (g && g->storage == STORAGE_MAP)
		clear_array(em, v);
	else if (g && g->storage == STORAGE_CELL_STATS)
		clear_stat(em, v);
	else
		emit_store(em, e, v->type == TYPE_STRING ? "TAP_EMPTY" : "0", true);
}

/* ---- locks ---- */

static bool wants_region(const struct emitter *em)
{
	return em->handler && em->handler->locks.n && !em->in_region;
}

bool emit_takes_one_lock(const struct handler_plan *h)
{
	return h->locks.n == 1 && h->brief && !h->user_stack;
}

const char *emit_lock_arguments(const struct emitter *em)
{
	const struct handler_plan *h = em->handler;

	if (emit_takes_one_lock(h))
		return arena_printf(em->arena, "_%s(c, &locks[%u])", h->locks.items[0].write ? "write" : "read",
				    h->locks.items[0].lock);
	return arena_printf(em->arena, "(c, locks_%u, %zu, %s)", h->handler->number, h->locks.n,
			    !h->brief ? "TAP_REGION_LONG" :
			    h->user_stack ? "TAP_REGION_BRIEF_STACK" : "TAP_REGION_BRIEF");
}

static void open_region(struct emitter *em)
{
	em->out_used = true;
	emit_line(em, "if (!tap_lock%s)", emit_lock_arguments(em));
	emit_line(em, "\tgoto out;");
	emit_line(em, "locked = true;");
	element_forget_all(em);
	em->in_region = true;
}

static void close_region(struct emitter *em)
{
	emit_line(em, "tap_unlock%s;", emit_lock_arguments(em));
	emit_line(em, "locked = false;");
	element_forget_all(em);
	em->in_region = false;
}

/* ---- statements ---- */

static void emit_range(struct emitter *em, struct stmt *block, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		emit_statement(em, block->block.items[i]);
}

static void emit_to_end(struct emitter *em, struct stmt *s);

/* ENDS: a region ends in this branch, which may be absent. */
static void emit_branch(struct emitter *em, struct stmt *s, bool ends)
{
	em->indent++;
	if (ends && s && plan_stmt_needs_lock(em->plan, s)) {
		emit_to_end(em, s);
	} else {
		if (ends)
			close_region(em);
		if (s)
			emit_statement(em, s);
	}
	em->indent--;
}

static void emit_if(struct emitter *em, struct stmt *s, bool ends)
{
	struct element_branch branch;

	emit_line(em, "if (%s) {", emit_decision(em, s->if_.condition));
	branch = element_branch(em);
	emit_branch(em, s->if_.yes, ends);
	if (s->if_.no || ends) {
		emit_line(em, "} else {");
		element_other(em, &branch);
		em->in_region |= ends;
		emit_branch(em, s->if_.no, ends);
	}
	element_join(em, &branch);
	emit_line(em, "}");
}

/* The last statement of a region, which ends inside it where that is earlier. */
static void emit_to_end(struct emitter *em, struct stmt *s)
{
	size_t first, last;

	if (!plan_region_ends_inside(em->plan, s)) {
		emit_statement(em, s);
		close_region(em);
	} else if (s->kind == STMT_IF) {
		emit_if(em, s, true);
	} else if (plan_region_of_block(em->plan, s, &first, &last)) {
		emit_range(em, s, 0, last);
		emit_to_end(em, s->block.items[last]);
		emit_range(em, s, last + 1, s->block.n);
	}
}

/* Takes the locks from the first statement that needs them to the last. If there is only one, it takes them itself. */
static void emit_block(struct emitter *em, struct stmt *s)
{
	size_t n = s->block.n, first = n, last = n;

	if (wants_region(em) && !plan_region_of_block(em->plan, s, &first, &last))
		first = last = n;
	emit_range(em, s, 0, first);
	if (first < last) {
		open_region(em);
		emit_range(em, s, first, last);
		emit_to_end(em, s->block.items[last]);
		first = last + 1;
	}
	emit_range(em, s, first, n);
}

static void emit_kind(struct emitter *em, struct stmt *s)
{
	switch (s->kind) {
	case STMT_EMPTY:
		break;
	case STMT_BLOCK:
		emit_block(em, s);
		break;
	case STMT_EXPR:
		emit_effect(em, s->expr);
		break;
	case STMT_IF:
		emit_if(em, s, false);
		break;
	case STMT_WHILE:
	case STMT_FOR:
		emit_loop(em, s);
		break;
	case STMT_FOREACH:
		if (s->foreach.array->kind == EXPR_HIST)
			emit_foreach_histogram(em, s);
		else
			emit_foreach_array(em, s);
		break;
	case STMT_RETURN:
		emit_return(em, s);
		break;
	case STMT_BREAK:
	case STMT_CONTINUE:
		emit_jump(em, s);
		break;
	case STMT_NEXT:
		emit_next(em);
		break;
	case STMT_TRY:
		emit_try(em, s);
		break;
	case STMT_DELETE:
		emit_delete(em, s->expr);
		break;
	}
}

/* Restores the scratch stack after the statement, if it has put temporaries on it. */
static void emit_restoring(struct emitter *em, struct stmt *s)
{
	bool before = em->scratch_used;
	struct text *out = em->out, aside;
	const char *mark = emit_temp(em);
	bool restores;

	text_init(&aside, em->arena);
	em->out = &aside;
	em->scratch_used = false;
	em->indent++;
	emit_kind(em, s);
	em->indent--;
	em->out = out;
	emit_line(em, "{");
	restores = em->scratch_used && s != em->last;
	if (restores)
		emit_line(em, "\tchar *%s = c->scratch;", mark);
	text_add(em->out, aside.s);
	if (restores)
		emit_line(em, "\tc->scratch = %s;", mark);
	emit_line(em, "}");
	em->scratch_used = before;
}

static bool restores_scratch(const struct stmt *s)
{
	return s->kind == STMT_EXPR || s->kind == STMT_DELETE || s->kind == STMT_FOREACH ||
	       s->kind == STMT_TRY;
}

/* A function that is called announces its own effects. */
static void find_own_commits(struct expr **ep, void *data)
{
	bool *found = data;

	if (!*ep)
		return;
	if ((*ep)->kind == EXPR_CALL)
		vec_each(f, &(*ep)->call.candidates)
			*found |= (*f)->body || embedded_says(*f, "/* commits */");
	expr_each(*ep, find_own_commits, data);
}

/* No effect may be forgotten: a handler that runs again would have it twice. */
static void check_commits(struct emitter *em, struct stmt *s, unsigned commits)
{
	struct effects e;
	bool ok = em->commits != commits;

	if (ok || (s->kind != STMT_EXPR && s->kind != STMT_DELETE))
		return;
	stmt_each(s, find_own_commits, NULL, &ok);
	e = plan_effects(em->plan, s);
	for (size_t i = 0; i < em->plan->globals.n && !ok; i++)
		if (e.use[i] & ~EFFECT_LOOKS)
			fatal("internal error: a change of '%s' is not announced",
			      em->plan->globals.items[i].variable->name);
	if (!ok && (e.sets_target || e.impure))
		fatal("internal error: an effect of a statement is not announced");
}

void emit_statement(struct emitter *em, struct stmt *s)
{
	unsigned commits = em->commits;
	bool region = wants_region(em) && plan_stmt_needs_lock(em->plan, s) &&
		      !plan_region_goes_down(em->plan, s);

	if (region) {
		open_region(em);
		emit_to_end(em, s);
		return;
	}
	if (restores_scratch(s))
		emit_restoring(em, s);
	else
		emit_kind(em, s);
	check_commits(em, s, commits);
}
