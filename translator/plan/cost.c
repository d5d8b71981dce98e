/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cost.h. Sums saturate at COST_ENDLESS. The cost of an 'if' is that of its longer branch. */
#include "cost.h"

#include "limits.h"

enum { CHARGED_FROM = 32, MOST_CHARGE = 1 << 24 };

/* The cost of a function, once it is known. */
struct function_cost {
	bool known;
	unsigned charge;
	struct cost body;
};

struct cost_walk {
	const struct plan *plan;
	struct cost *out;
	unsigned cycle;			/* number of the recursion being measured; 0: none */
};

/* ---- sums ---- */

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > COST_ENDLESS - b ? COST_ENDLESS : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return b && a > COST_ENDLESS / b ? COST_ENDLESS : a * b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void note_endless(struct cost *c, struct span at, bool is_recursion)
{
	c->charged = COST_ENDLESS;
	if (c->endless.source)
		return;
	c->endless = at;
	c->is_recursion = is_recursion;
}

static void add_charged(struct cost *to, const struct cost *from, uint64_t n)
{
	to->charged = add(to->charged, times(n, from->charged));
	to->late = larger(to->late, from->late);
	to->cycle_calls += from->cycle_calls;
	if (from->endless.source && !to->endless.source)
		note_endless(to, from->endless, from->is_recursion);
}

void cost_add(struct cost *to, const struct cost *from)
{
	to->plain = add(to->plain, from->plain);
	add_charged(to, from, 1);
}

uint64_t cost_worst(const struct cost *c, int64_t limit)
{
	uint64_t most = add((uint64_t)limit, c->late);

	return add(c->plain, c->charged < most ? c->charged : most);
}

/* ---- calls ---- */

static const struct cost *function_cost(const struct plan *p, const struct function *f);

static void walk_call(struct cost_walk *w, const struct function *f)
{
	const struct function_cost *known = &w->plan->function_costs[f->number];
	const struct cost *body;

	if (!f->body)
		return;
	if (w->cycle && w->plan->cycles[f->number] == w->cycle) {
		w->out->cycle_calls++;
		return;
	}
	body = function_cost(w->plan, f);
	add_charged(w->out, body, 1);
	if (!known->charge)
		w->out->plain = add(w->out->plain, body->plain);
}

static void walk_expr(struct expr **ep, void *data)
{
	struct cost_walk *w = data;

	if (!*ep)
		return;
	if ((*ep)->kind == EXPR_CALL)
		vec_each(f, &(*ep)->call.candidates)
			walk_call(w, *f);
	expr_each(*ep, walk_expr, w);
}

static struct cost measure_expr(const struct cost_walk *w, struct expr *e)
{
	struct cost c = { 0 };
	struct cost_walk inner = { w->plan, &c, w->cycle };

	walk_expr(&e, &inner);
	return c;
}

/* ---- loops ---- */

static void walk_stmt(struct stmt **sp, void *data);

static struct cost measure_stmt(const struct cost_walk *w, struct stmt *s)
{
	struct cost c = { 0 };
	struct cost_walk inner = { w->plan, &c, w->cycle };

	walk_stmt(&s, &inner);
	return c;
}

static struct stmt *body_of(const struct stmt *loop)
{
	return loop->kind == STMT_FOREACH ? loop->foreach.body : loop->loop.body;
}

static struct cost measure_round(const struct cost_walk *w, struct stmt *s)
{
	struct cost c = measure_stmt(w, body_of(s)), part;

	if (s->kind != STMT_FOREACH) {
		part = measure_expr(w, s->loop.condition);
		cost_add(&c, &part);
		part = measure_expr(w, s->loop.step);
		cost_add(&c, &part);
	}
	c.plain = larger(c.plain, 1);
	return c;
}

struct change_walk { const struct variable *variable; bool found; };

static void find_change_expr(struct expr **ep, void *data)
{
	struct change_walk *w = data;
	const struct expr *e = *ep, *changed;

	if (!e)
		return;
	changed = expr_assigned(e);
	w->found |= changed && expr_variable(changed) == w->variable;
	expr_each(*ep, find_change_expr, w);
}

static bool is_variable(const struct expr *e, const struct variable *v)
{
	return e && e->kind == EXPR_NAME && e->name.variable == v;
}

static void find_change(struct stmt **sp, void *data)
{
	struct change_walk *w = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_FOREACH) {
		w->found |= is_variable(s->foreach.value, w->variable);
		vec_each(key, &s->foreach.keys)
			w->found |= is_variable(*key, w->variable);
	}
	w->found |= s->kind == STMT_DELETE && is_variable(s->expr, w->variable);
	stmt_each(s, find_change_expr, find_change, w);
}

/* The constant by which STEP changes V; 0 if it is not of this form. */
static int64_t step_of(const struct expr *step, const struct variable *v)
{
	if (step->kind == EXPR_STEP && is_variable(step->step.operand, v))
		return step->step.delta;
	if (step->kind != EXPR_ASSIGN || !is_variable(step->assign.left, v) ||
	    step->assign.right->kind != EXPR_NUMBER || step->assign.right->number.value <= 0)
		return 0;
	return step->assign.op == OP_ADD ? step->assign.right->number.value :
	       step->assign.op == OP_SUB ? -step->assign.right->number.value : 0;
}

/* The number of rounds from FIRST in steps of STEP while the condition OP LIMIT holds. */
static uint64_t count_rounds(int64_t first, int64_t step, enum op op, int64_t limit)
{
	bool up = op == OP_LT || op == OP_LE, closed = op == OP_LE || op == OP_GE;
	uint64_t distance, by;

	if ((!up && op != OP_GT && op != OP_GE) || up != (step > 0))
		return COST_ENDLESS;
	if (up ? first > limit : first < limit)
		return 0;
	distance = up ? (uint64_t)limit - (uint64_t)first : (uint64_t)first - (uint64_t)limit;
	by = up ? (uint64_t)step : -(uint64_t)step;
	/* if the last step would wrap around, the loop is endless */
	if (up ? limit > INT64_MAX - step : limit < INT64_MIN - step)
		return COST_ENDLESS;
	return closed ? distance / by + 1 : (distance + by - 1) / by;
}

/* The rounds of a loop such as for (i = 0; i < 10; i++), if its body does not change the local variable i. */
static uint64_t rounds_of_for(const struct stmt *s)
{
	const struct expr *start = s->loop.start, *condition = s->loop.condition, *step = s->loop.step;
	struct change_walk w = { 0 };
	struct stmt *body = s->loop.body;

	if (s->kind != STMT_FOR || !start || !condition || !step || start->kind != EXPR_ASSIGN ||
	    start->assign.op != OP_NONE || start->assign.left->kind != EXPR_NAME ||
	    start->assign.right->kind != EXPR_NUMBER || condition->kind != EXPR_BINARY ||
	    condition->binary.right->kind != EXPR_NUMBER)
		return COST_ENDLESS;
	w.variable = start->assign.left->name.variable;
	find_change(&body, &w);
	if (w.found || w.variable->kind == VARIABLE_GLOBAL || !is_variable(condition->binary.left, w.variable) ||
	    !step_of(step, w.variable))
		return COST_ENDLESS;
	return count_rounds(start->assign.right->number.value, step_of(step, w.variable), condition->binary.op,
			    condition->binary.right->number.value);
}

/* At most one round for each element: elements added during the loop are not visited. */
static uint64_t rounds_of_foreach(const struct plan *p, const struct foreach_stmt *f)
{
	const struct variable *v = expr_variable(f->array->kind == EXPR_HIST ? f->array->stat.stat : f->array);
	uint64_t most;

	if (f->array->kind == EXPR_HIST)
		most = (uint64_t)plan_histogram_buckets(&v->histograms.items[f->array->stat.histogram]);
	else
		most = (uint64_t)(v->size ? v->size->number.value : p->max_entries);
	if (f->limit && f->limit->kind == EXPR_NUMBER && f->limit->number.value >= 0 &&
	    (uint64_t)f->limit->number.value < most)
		return (uint64_t)f->limit->number.value;
	return most;
}

static uint64_t rounds_of(const struct plan *p, const struct stmt *s)
{
	return s->kind == STMT_FOREACH ? rounds_of_foreach(p, &s->foreach) : rounds_of_for(s);
}

/* When MAXACTION is found to be exceeded, the current round has run, and so have those of the outer loops. */
static void walk_loop(struct cost_walk *w, struct stmt *s)
{
	struct cost round = measure_round(w, s);
	uint64_t rounds = rounds_of(w->plan, s);

	if (rounds == COST_ENDLESS || round.cycle_calls)
		note_endless(w->out, s->span, false);
	w->out->late = larger(w->out->late, add(round.plain, round.late));
	add_charged(w->out, &round, rounds);
	w->out->charged = add(w->out->charged, times(rounds, round.plain));
}

/* ---- statements ---- */

/* The branches of a chain of 'else if': the cost of the longest one. BEFORE: statements of the conditions so far. */
struct branches {
	uint64_t before, plain, charged;
};

static void add_branch(struct cost_walk *w, struct branches *b, struct stmt *s)
{
	struct cost c = measure_stmt(w, s);

	b->plain = larger(b->plain, add(b->before, c.plain));
	b->charged = larger(b->charged, c.charged);
	c.charged = 0;
	add_charged(w->out, &c, 1);
}

static void walk_if(struct cost_walk *w, struct stmt *s)
{
	struct branches b = { 0 };
	struct cost condition;

	for (;; s = s->if_.no, b.before = add(b.before, 1)) {
		condition = measure_expr(w, s->if_.condition);
		b.before = add(b.before, condition.plain);
		add_charged(w->out, &condition, 1);
		add_branch(w, &b, s->if_.yes);
		if (!s->if_.no || s->if_.no->kind != STMT_IF)
			break;
	}
	add_branch(w, &b, s->if_.no);
	w->out->plain = add(w->out->plain, b.plain);
	w->out->charged = add(w->out->charged, b.charged);
}

static void walk_stmt(struct stmt **sp, void *data)
{
	struct cost_walk *w = data;
	struct stmt *s = *sp;

	if (!s)
		return;
	w->out->plain += s->kind != STMT_BLOCK;
	if (s->kind == STMT_IF) {
		walk_if(w, s);
		return;
	}
	if (s->kind != STMT_WHILE && s->kind != STMT_FOR && s->kind != STMT_FOREACH) {
		stmt_each(s, walk_expr, walk_stmt, w);
		return;
	}
	stmt_each(s, walk_expr, NULL, w);	/* the condition is evaluated once more than the body */
	walk_loop(w, s);
}

struct cost cost_of_stmt(const struct plan *p, struct stmt *s)
{
	return measure_stmt(&(struct cost_walk){ .plan = p }, s);
}

struct cost cost_of_expr(const struct plan *p, struct expr *e)
{
	return measure_expr(&(struct cost_walk){ .plan = p }, e);
}

struct cost cost_of_range(const struct plan *p, struct stmt *block, size_t from, size_t to)
{
	struct cost c = { 0 };
	struct cost_walk w = { .plan = p, .out = &c };

	for (size_t i = from; i < to; i++)
		walk_stmt(&block->block.items[i], &w);
	return c;
}

/* ---- functions ---- */

/* The number of calls in a recursion in which each call makes N more, up to the depth MAXNESTING. */
static uint64_t calls_of_recursion(const struct plan *p, uint64_t n)
{
	uint64_t level = 1, calls = 1;

	for (int64_t depth = 1; depth < p->max_nesting && calls != COST_ENDLESS; depth++) {
		level = times(level, n);
		calls = add(calls, level);
	}
	return calls;
}

/* Each function of a recursion counts as the worst of them. */
static struct cost measure_recursion(const struct plan *p, unsigned cycle)
{
	struct cost worst = { 0 };
	uint64_t calls;

	vec_each(f, &p->program->functions) {
		struct cost one = { 0 };
		struct cost_walk w = { p, &one, cycle };

		if (p->cycles[(*f)->number] != cycle)
			continue;
		walk_stmt(&(*f)->body, &w);
		worst.plain = larger(worst.plain, one.plain);
		worst.charged = larger(worst.charged, one.charged);
		worst.late = add(worst.late, one.late);
		worst.cycle_calls = one.cycle_calls > worst.cycle_calls ? one.cycle_calls : worst.cycle_calls;
		if (one.endless.source)
			note_endless(&worst, one.endless, one.is_recursion);
	}
	calls = calls_of_recursion(p, worst.cycle_calls);
	worst.charged = times(calls, add(worst.plain, worst.charged));
	worst.late = times(worst.late, (uint64_t)p->max_nesting + 1);
	worst.cycle_calls = 0;
	return worst;
}

static unsigned charge_of(uint64_t n)
{
	return n < MOST_CHARGE ? (unsigned)n : MOST_CHARGE;
}

static const struct cost *function_cost(const struct plan *p, const struct function *f)
{
	struct function_cost *known = &p->function_costs[f->number];
	unsigned cycle = p->cycles[f->number];

	if (known->known)
		return &known->body;
	known->body = cycle ? measure_recursion(p, cycle) : cost_of_stmt(p, f->body);
	known->known = true;
	if (known->body.charged == COST_ENDLESS)
		note_endless(&known->body, f->span, true);
	if (cycle || known->body.plain >= CHARGED_FROM)
		known->charge = charge_of(larger(known->body.plain, 1));
	if (known->charge && !cycle)
		known->body.charged = add(known->body.charged, known->body.plain);
	return &known->body;
}

unsigned cost_of_call(const struct plan *p, const struct function *f)
{
	function_cost(p, f);
	return p->function_costs[f->number].charge;
}

unsigned cost_of_round(const struct plan *p, struct stmt *s)
{
	return charge_of(measure_round(&(struct cost_walk){ .plan = p }, s).plain);
}

void plan_costs(struct plan *p)
{
	p->function_costs = arena_array(p->arena, struct function_cost, p->program->functions.n + 1);
}
