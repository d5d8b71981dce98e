/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bound.h. Statements come from plan_cost, locks from plan_region; memory is computed with the
 * formulas that the runtime allocates by (tap_room.h, core/map.h) and the sizes in the families. A
 * probe with many places may have as many handlers: the report has the worst value of any of them. */
#include "bound.h"

#include "memory.h"
#include "source/diag.h"
#include "points/family.h"
#include "source/options.h"
#include "plan/region.h"
#include "base/text.h"

/* ---- probes ---- */

static struct probe_bound *probe_of(struct bound *b, const struct probe *probe)
{
	struct probe_bound *found;

	vec_each(p, &b->probes)
		if (p->probe == probe)
			return p;
	found = vec_add(b->plan->arena, &b->probes);
	*found = (struct probe_bound){ .probe = probe, .span = span_written(probe->span), .unhurried = true };
	return found;
}

static const char *written(struct arena *a, const struct handler *h)
{
	VEC(const struct site *) all = { 0 };

	vec_each(s, &h->sites)
		*vec_add(a, &all) = s;
	return sites_written(a, all.items, all.n);
}

static bool is_unhurried(const struct handler *h)
{
	vec_each(s, &h->sites)
		if (!s->family->interruptible)
			return false;
	return true;
}

/* ---- locks ---- */

static const char *locked_names(const struct plan *p, const struct handler_plan *h, bool write)
{
	struct text t;

	text_init(&t, p->arena);
	vec_each(l, &h->locks)
		vec_each(g, &p->globals)
			if (l->write == write && g->lock == (int)l->lock)
				text_printf(&t, "%s%s", t.n ? ", " : "", g->variable->name);
	return t.n ? t.s : NULL;
}

static void find_locks(const struct plan *p, const struct handler_plan *h, struct probe_bound *to)
{
	uint64_t most = h->locks.n ? plan_regions(p, h->handler->body, to->limit).most : 0;

	if (!most || most < to->locked)
		return;
	to->locked = most;
	to->irqs_off = h->brief;
	to->reads = locked_names(p, h, false);
	to->writes = locked_names(p, h, true);
}

/* ---- statements ---- */

static struct cost handler_cost(const struct plan *p, const struct handler_plan *h)
{
	struct cost c = cost_of_stmt(p, h->handler->body), condition;

	/* begin, end and error evaluate their conditions when they run */
	for (size_t i = 0; i < h->handler->conditions.n && !h->concurrent; i++) {
		condition = cost_of_expr(p, h->handler->conditions.items[i]);
		cost_add(&c, &condition);
	}
	return c;
}

static void add_mechanism(struct arena *a, struct probe_bound *to, const struct site *s)
{
	const struct probe_family *f = s->family;
	const struct mechanism *how = f->mechanism ? f->mechanism(s) : &f->by;
	struct bound_mechanism *found = NULL;

	vec_each(m, &to->mechanisms)
		if (m->how == how)
			found = m;
	if (!found) {
		found = vec_add(a, &to->mechanisms);
		*found = (struct bound_mechanism){ .how = how };
	}
	*vec_add(a, &found->places) = s;
}

static void add_handler(struct bound *b, const struct handler_plan *h)
{
	const struct plan *p = b->plan;
	struct probe_bound *to = probe_of(b, h->handler->probe);
	struct cost c = handler_cost(p, h);
	uint64_t worst;

	to->unhurried &= !h->is_entry && is_unhurried(h->handler);
	to->limit = to->unhurried ? p->max_action_interruptible : p->max_action;
	worst = cost_worst(&c, p->options->suppress_time_limits ? INT64_MAX : to->limit);
	if (worst > INT64_MAX)
		worst = COST_ENDLESS;
	if (worst >= to->statements) {
		to->statements = worst;
		to->cost = c;
		to->is_cut = worst != COST_ENDLESS && c.charged > (uint64_t)to->limit;
	}
	find_locks(p, h, to);
	if (h->is_entry)
		return;
	if (!to->written)
		to->written = written(p->arena, h->handler);
	vec_each(s, &h->handler->sites)
		add_mechanism(p->arena, to, s);
}

void bound_find(struct bound *b, const struct plan *p, size_t code)
{
	*b = (struct bound){ .plan = p };
	vec_each(h, &p->handlers)
		add_handler(b, h);
	bound_find_memory(b, code);
}

/* ---- limits ---- */

/* The MAXACTION that would be low enough, if one exists. */
static const char *lower_limit(const struct probe_bound *p, uint64_t most, struct arena *a)
{
	uint64_t over = p->statements - (uint64_t)p->limit;

	return over >= most ? "" : arena_printf(a, ", or set -D MAXACTION=%llu", (unsigned long long)(most - over));
}

static void advise(const struct probe_bound *p, uint64_t most, struct arena *a)
{
	long long limit = p->limit;
	const char *lower = p->is_cut ? lower_limit(p, most, a) : "";

	if (!p->is_cut) {
		diag_note(p->span, "no limit applies: write fewer statements, or raise --max-cost");
		return;
	}
	if (p->cost.is_recursion)
		diag_note(p->cost.endless, "only MAXACTION (%lld) ends the recursion of '%.*s': use a loop%s",
			  limit, (int)(p->cost.endless.end - p->cost.endless.start),
			  p->cost.endless.source->text + p->cost.endless.start, lower);
	else if (p->cost.endless.source)
		diag_note(p->cost.endless, "only MAXACTION (%lld) ends this loop: give it a known end, as in "
			  "for (i = 0; i < 10; i++) or foreach ... limit 10%s", limit, lower);
	else
		diag_note(p->span, "its loops may run until MAXACTION (%lld) ends them: reduce the iterations%s",
			  limit, lower);
}

static bool cost_is_allowed(const struct probe_bound *p, uint64_t most, struct arena *a)
{
	if (p->unhurried || p->statements <= most)
		return true;
	diag_error(p->span, "a hit of this probe may run %llu statements, but --max-cost allows %llu",
		   (unsigned long long)p->statements, (unsigned long long)most);
	advise(p, most, a);
	return false;
}

bool bound_allows(const struct bound *b)
{
	const struct options *o = b->plan->options;
	bool ok = true;

	vec_each(p, &b->probes)
		ok = (!o->max_cost || cost_is_allowed(p, o->max_cost, b->plan->arena)) && ok;
	return (!o->max_memory || bound_memory_is_allowed(b, o->max_memory)) && ok;
}
