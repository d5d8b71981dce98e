/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See region.h. */
#include "region.h"

#include "cost.h"
#include "effects.h"
#include "locks.h"

bool plan_stmt_needs_lock(const struct plan *p, struct stmt *s)
{
	struct effects e = plan_effects(p, s);

	return plan_needs_lock(p, &e);
}

static bool expr_needs_lock(const struct plan *p, struct expr *x)
{
	struct effects e = { 0 };

	plan_expr_effects(p, x, &e);
	return plan_needs_lock(p, &e);
}

bool plan_region_goes_down(const struct plan *p, struct stmt *s)
{
	return s->kind == STMT_BLOCK || (s->kind == STMT_IF && !expr_needs_lock(p, s->if_.condition));
}

bool plan_region_of_block(const struct plan *p, struct stmt *block, size_t *first, size_t *last)
{
	bool found = false;

	for (size_t i = 0; i < block->block.n; i++) {
		if (!plan_stmt_needs_lock(p, block->block.items[i]))
			continue;
		if (!found)
			*first = i;
		*last = i;
		found = true;
	}
	return found;
}

static bool ends_in_branch(const struct plan *p, struct stmt *s)
{
	return s && (!plan_stmt_needs_lock(p, s) || plan_region_ends_inside(p, s));
}

bool plan_region_ends_inside(const struct plan *p, struct stmt *s)
{
	size_t first, last;

	if (s->kind == STMT_IF)
		return ends_in_branch(p, s->if_.yes) || ends_in_branch(p, s->if_.no);
	return s->kind == STMT_BLOCK && plan_region_of_block(p, s, &first, &last) &&
	       (last + 1 < s->block.n || plan_region_ends_inside(p, s->block.items[last]));
}

/* ---- what is done in regions ---- */

struct region_walk {
	const struct plan *plan;
	int64_t limit;
	struct regions *out;
};

static void note_effects(struct region_walk *w, struct stmt *s)
{
	struct effects e = plan_effects(w->plan, s);

	effects_add(w->plan, &w->out->effects, &e);
}

static struct cost run_range(struct region_walk *w, struct stmt *block, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		note_effects(w, block->block.items[i]);
	return cost_of_range(w->plan, block, from, to);
}

static struct cost run_to_end(struct region_walk *w, struct stmt *s);

static struct cost run_branch(struct region_walk *w, struct stmt *s)
{
	return s && plan_stmt_needs_lock(w->plan, s) ? run_to_end(w, s) : (struct cost){ 0 };
}

static struct cost run_if(struct region_walk *w, struct stmt *s)
{
	struct cost c = cost_of_expr(w->plan, s->if_.condition), yes, no;

	plan_expr_effects(w->plan, s->if_.condition, &w->out->effects);
	c.plain++;
	yes = run_branch(w, s->if_.yes);
	no = run_branch(w, s->if_.no);
	cost_add(&c, cost_worst(&yes, w->limit) > cost_worst(&no, w->limit) ? &yes : &no);
	return c;
}

static struct cost run_block(struct region_walk *w, struct stmt *s, size_t first, size_t last)
{
	struct cost c = run_range(w, s, first, last), end = run_to_end(w, s->block.items[last]);

	cost_add(&c, &end);
	return c;
}

/* A region's last statement S. */
static struct cost run_to_end(struct region_walk *w, struct stmt *s)
{
	size_t first, last;

	if (plan_region_ends_inside(w->plan, s)) {
		if (s->kind == STMT_IF)
			return run_if(w, s);
		plan_region_of_block(w->plan, s, &first, &last);
		return run_block(w, s, 0, last);
	}
	note_effects(w, s);
	return cost_of_stmt(w->plan, s);
}

static void note_region(struct region_walk *w, const struct cost *c)
{
	uint64_t n = cost_worst(c, w->limit);

	w->out->most = n > w->out->most ? n : w->out->most;
}

static void find_regions(struct region_walk *w, struct stmt *s)
{
	size_t first, last;
	struct cost c;

	if (!s || !plan_stmt_needs_lock(w->plan, s))
		return;
	if (!plan_region_goes_down(w->plan, s)) {
		c = run_to_end(w, s);
		note_region(w, &c);
	} else if (s->kind == STMT_IF) {
		find_regions(w, s->if_.yes);
		find_regions(w, s->if_.no);
	} else if (plan_region_of_block(w->plan, s, &first, &last)) {
		if (first == last) {
			find_regions(w, s->block.items[first]);
			return;
		}
		c = run_block(w, s, first, last);
		note_region(w, &c);
	}
}

struct regions plan_regions(const struct plan *p, struct stmt *body, int64_t limit)
{
	struct regions r = { .effects = effects_none(p) };
	struct region_walk w = { p, limit, &r };

	find_regions(&w, body);
	return r;
}
