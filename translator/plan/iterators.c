/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loops nest in a body and in functions that are called inside a loop. One walk measures all arrays. */
#include "iterators.h"

#include "base/util.h"

struct foreach_depth { unsigned array, depth; };
typedef VEC(struct foreach_depth) depth_list;

struct open_foreach {
	const struct open_foreach *outer;
	unsigned array;
};

struct depth_walk {
	struct plan *plan;
	depth_list *functions;		/* by function->number: the depth for each array, */
	bool *known;			/* valid if this is set */
	depth_list *most;		/* of the current body */
	const struct open_foreach *open;
};
enum { MOST_ITERATORS = 255 };

static void measure_stmt(struct stmt **sp, void *data);

static void note_depth(const struct depth_walk *w, unsigned array, unsigned inside)
{
	struct foreach_depth *found = NULL;

	for (const struct open_foreach *o = w->open; o; o = o->outer)
		inside += o->array == array;
	vec_each(d, w->most)
		if (d->array == array)
			found = d;
	if (!found) {
		found = vec_add(w->plan->arena, w->most);
		found->array = array;
	}
	if (inside > found->depth)
		found->depth = inside < MOST_ITERATORS ? inside : MOST_ITERATORS;
}

/* MAXNESTING limits how many calls of a recursive function are active, and of the functions that it calls. */
static const depth_list *measure_function(struct depth_walk *w, const struct function *f)
{
	depth_list *most = &w->functions[f->number];
	struct depth_walk inner = { w->plan, w->functions, w->known, most, NULL };
	struct stmt *body = f->body;

	if (w->known[f->number] || !body)
		return most;
	w->known[f->number] = true;
	measure_stmt(&body, &inner);
	if (w->plan->cycles[f->number])
		vec_each(d, most) {
			int64_t depth = d->depth * (w->plan->max_nesting + 1);

			d->depth = depth < MOST_ITERATORS ? (unsigned)depth : MOST_ITERATORS;
		}
	return most;
}

static void measure_expr(struct expr **ep, void *data)
{
	struct depth_walk *w = data;

	if (!*ep)
		return;
	if ((*ep)->kind == EXPR_CALL)
		vec_each(f, &(*ep)->call.candidates) {
			const depth_list *inside = measure_function(w, *f);

			if (inside != w->most)
				vec_each(d, inside)
					note_depth(w, d->array, d->depth);
		}
	expr_each(*ep, measure_expr, data);
}

static const struct variable *listed_array(const struct stmt *s)
{
	const struct variable *v;

	if (s->kind != STMT_FOREACH || s->foreach.array->kind != EXPR_NAME)
		return NULL;
	v = s->foreach.array->name.variable;
	return s->foreach.direction || v->type == TYPE_STATS ? v : NULL;
}

static void measure_stmt(struct stmt **sp, void *data)
{
	struct depth_walk *w = data;
	const struct variable *array = *sp ? listed_array(*sp) : NULL;
	struct open_foreach open = { w->open, array ? array->number : 0 };

	if (!*sp)
		return;
	if (array) {
		w->open = &open;
		note_depth(w, array->number, 0);
	}
	stmt_each(*sp, measure_expr, measure_stmt, w);
	w->open = array ? open.outer : w->open;
}

static void note_most(unsigned *iterators, const depth_list *most)
{
	vec_each(d, most)
		if (d->depth > iterators[d->array])
			iterators[d->array] = d->depth;
}

/* Handlers and conditions lock the arrays that they iterate over, so that the maximum of all is sufficient. */
void plan_iterators(struct plan *p)
{
	struct arena *a = p->arena;
	size_t n = p->program->functions.n + 1;
	struct depth_walk w = { .plan = p, .functions = arena_array(a, depth_list, n),
				.known = arena_array(a, bool, n) };
	unsigned *iterators = arena_array(a, unsigned, p->globals.n + 1);

	vec_each(h, &p->handlers) {
		depth_list in_body = { 0 }, in_conditions = { 0 };

		w.most = &in_body;
		measure_stmt(&h->handler->body, &w);
		w.most = &in_conditions;
		vec_each(c, &h->handler->conditions)
			measure_expr(c, &w);
		note_most(iterators, &in_body);
		note_most(iterators, &in_conditions);
	}
	for (size_t i = 0; i < p->globals.n; i++)
		p->globals.items[i].iterators = iterators[i] < MOST_ITERATORS ? iterators[i] : MOST_ITERATORS;
}
