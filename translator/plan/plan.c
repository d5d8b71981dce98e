/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides where globals are stored and what is locked.
 *
 * From the effects of functions and handlers (effects.h) it follows that a global needs no lock if no concurrent
 * handler writes it (begin, end and error handlers run alone); that a global which is only stepped is a per-CPU
 * counter; and that globals which all handlers use in the same way share one lock. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/access.h"
#include "source/diag.h"
#include "source/options.h"
#include "cost.h"
#include "effects.h"
#include "iterators.h"
#include "limits.h"
#include "locks.h"
#include "once.h"
#include "override.h"
#include "region.h"
#include "points/family.h"
#include "source/translation.h"
#include "base/util.h"

#include "tap_script.h"

/* ---- names in C ---- */

static const char *unique_name(struct arena *a, struct map *taken, const char *prefix, const char *name)
{
	char *c_name = arena_printf(a, "%s_%s", prefix, name);

	for (unsigned n = 2; !map_set(taken, c_name, (void *)1); n++)
		c_name = arena_printf(a, "%s_%s_%u", prefix, name, n);
	return c_name;
}

static void name_locals(struct arena *a, variable_list *locals)
{
	vec_each(v, locals)
		(*v)->c_name = arena_printf(a, "l_%s", (*v)->name);
}

static void name_all(struct plan *p)
{
	struct arena *a = p->arena;
	struct map taken;

	map_init(&taken, a);
	vec_each(v, &p->program->globals) {
		struct global_plan *g = vec_add(a, &p->globals);

		(*v)->number = (unsigned)p->globals.n - 1;
		(*v)->c_name = unique_name(a, &taken, "g", (*v)->name);
		*g = (struct global_plan){ .variable = *v, .c_name = (*v)->c_name, .lock = -1 };
	}
	for (size_t i = 0; i < p->program->functions.n; i++) {
		struct function *f = p->program->functions.items[i];

		f->number = (unsigned)i;
		f->c_name = f->embedded && f->span.source->is_system ?
				    arena_printf(a, function_is_inline(f) ? "tap_here_%s" : "tap_fn_%s", f->name) :
				    unique_name(a, &taken, "fn", f->name);
		name_locals(a, &f->parameters);
		name_locals(a, &f->locals);
	}
	vec_each(h, &p->program->handlers)
		name_locals(a, &(*h)->locals);
}

/* The values saved at a function's entry are members of a structure for each handler. */
static void name_kept(struct plan *p, struct handler *h)
{
	for (size_t i = 0; i < h->kept.n; i++) {
		h->kept.items[i]->number = (unsigned)i;
		h->kept.items[i]->c_name = arena_printf(p->arena,
			"((struct entry_%u *)c->entry)->k%zu", h->number, i);
	}
}

/* The limit is KRETPROBE_MAX_DATA_SIZE (kprobes.c) less the runtime's own data. A bit mask of 64 bits records which
 * values are set. */
static void check_kept(const struct plan *p, const struct handler *h)
{
	enum { MOST_BYTES = 4096 - 16, MOST_VALUES = 64 };
	long long size = 8;

	vec_each(v, &h->kept)
		size += (*v)->type == TYPE_STRING ? 16 + ((p->max_string + 7) & ~7ll) : 8;
	if (h->kept.n > MOST_VALUES)
		diag_error(h->probe->span, "%zu values are saved at a function's entry for its return; the limit is "
			   "%d", h->kept.n, MOST_VALUES);
	else if (size > MOST_BYTES)
		diag_error(h->probe->span, "%lld bytes are saved at a function's entry for its return, but the "
			   "kernel has room for only %d: save fewer strings, or shorter ones with -DMAXSTRINGLEN=",
			   size, MOST_BYTES);
}

/* ---- storage ---- */

static bool runs_alone(const struct handler *h)
{
	vec_each(s, &h->sites)
		if (!s->family->runs_alone)
			return false;
	return true;
}

static void choose_storage(struct plan *p, struct global_plan *g, const struct effects *all, size_t n)
{
	struct variable *v = g->variable;
	unsigned index = v->number, use = 0;
	bool mixed = false;

	for (size_t i = 0; i < n; i++) {
		use |= all[i].use[index];
		mixed |= p->handlers.items[i].concurrent && all[i].use[index] & EFFECT_STEP &&
			 all[i].use[index] & EFFECT_READ;
	}
	if (v->key_count > 0)
		g->storage = STORAGE_MAP;
	else if (v->type == TYPE_STATS)
		g->storage = STORAGE_CELL_STATS;
	else if (use & EFFECT_STEP && !(use & EFFECT_ASSIGN) && !mixed)
		g->storage = STORAGE_COUNTER;
}

static bool is_unlisted(const struct plan *p, const struct variable *v, const struct effects *all,
			const struct effects *asked)
{
	unsigned use = 0;

	for (size_t i = 0; i < p->handlers.n; i++)
		use |= all[i].use[v->number] | asked[i].use[v->number];
	return v->type == TYPE_LONG && v->key_count == 1 && v->key_types[0] == TYPE_LONG && !v->wrap &&
	       !(use & (EFFECT_FOREACH | EFFECT_SLICE)) && !p->options->hand_over;
}

/* ---- memory that is fetched ---- */

static bool may_fetch(const struct plan *p, const struct handler *h)
{
	if (options_defines(p->options, "TAP_NO_FETCH"))
		return false;
	vec_each(s, &h->sites)
		if (s->family->may_fetch)
			return true;
	return false;
}

bool plan_c_has_effect(const struct function *f)
{
	return f->embedded && (!embedded_says(f, "/* pure */") || f->accessors.n) &&
	       (function_is_scripts_c(f) || !embedded_says(f, "/* commits */"));
}

/* A handler at a function's entry has no sites: those of the handler at the return count. */
static void find_fetches(struct plan *p, const struct effects *all)
{
	for (size_t i = 0; i < p->handlers.n; i++) {
		struct handler_plan *h = &p->handlers.items[i];

		if (h->is_entry)
			continue;
		h->fetches = all[i].user_memory && may_fetch(p, h->handler);
		p->fetches |= h->fetches;
		if (h->entry < 0)
			continue;
		p->handlers.items[h->entry].fetches = all[h->entry].user_memory && may_fetch(p, h->handler);
		p->fetches |= p->handlers.items[h->entry].fetches;
	}
}

/* ---- conditions ---- */

/* Conditions are evaluated when something that they read has changed, any number of times. */
static void check_condition(const struct plan *p, const struct expr *e, const struct effects *own)
{
	if (own->impure)
		diag_error(e->span, "a probe's condition must not call '%s': its C code is not /* pure */",
			   own->impure);
	vec_each(g, &p->globals)
		if (own->use[g->variable->number] & ~EFFECT_LOOKS)
			diag_error(e->span, "a probe's condition must not change '%s', but a function that it calls "
				   "does", g->variable->name);
}

/* The effects of all conditions of a handler. */
static struct effects condition_effects(const struct plan *p, const struct handler *h)
{
	struct effects all = effects_none(p);

	vec_each(c, &h->conditions) {
		struct effects own = effects_none(p);

		plan_expr_effects(p, *c, &own);
		check_condition(p, *c, &own);
		effects_add(p, &all, &own);
	}
	return all;
}

static void find_condition_changes(struct plan *p, const struct effects *all, const struct effects *asked)
{
	struct effects read = effects_none(p);

	for (size_t i = 0; i < p->handlers.n; i++)
		effects_add(p, &read, &asked[i]);
	for (size_t i = 0; i < p->handlers.n; i++)
		for (size_t g = 0; g < p->globals.n; g++)
			if (read.use[g] && all[i].use[g] & (EFFECT_ASSIGN | EFFECT_STEP | EFFECT_ACCUMULATE))
				p->handlers.items[i].changes_conditions = true;
}

static void plan_locked(const struct plan *p, struct handler_plan *h)
{
	struct regions r;

	if (!h->locks.n)
		return;
	r = plan_regions(p, h->handler->body, 0);
	h->brief = !r.effects.loops;
	h->user_stack = r.effects.user_stack;
}

static void plan_handlers(struct plan *p)
{
	struct arena *a = p->arena;
	struct effects *all, *asked;

	vec_each(h, &p->program->handlers) {
		(*h)->number = (unsigned)p->handlers.n;
		*vec_add(a, &p->handlers) = (struct handler_plan){ .handler = *h, .entry = -1,
								  .concurrent = !runs_alone(*h) };
		if (!(*h)->entry)
			continue;
		name_kept(p, *h);
		check_kept(p, *h);
		(*h)->entry->number = (*h)->number + 1;
		p->handlers.items[(*h)->number].entry = (int)(*h)->number + 1;
		*vec_add(a, &p->handlers) = (struct handler_plan){ .handler = (*h)->entry, .entry = -1,
								  .is_entry = true, .concurrent = true };
	}
	all = arena_array(a, struct effects, p->handlers.n + 1);
	asked = arena_array(a, struct effects, p->handlers.n + 1);
	for (size_t i = 0; i < p->handlers.n; i++) {
		all[i] = plan_effects(p, p->handlers.items[i].handler->body);
		asked[i] = condition_effects(p, p->handlers.items[i].handler);
		p->bursts |= p->handlers.items[i].concurrent && all[i].prints;
		p->handlers.items[i].regs = all[i].regs;
	}
	vec_each(g, &p->globals) {
		choose_storage(p, g, all, p->handlers.n);
		g->unlisted = is_unlisted(p, g->variable, all, asked);
	}
	/* A condition must see changes of a counter at once. It can still be a counter, because the handlers
	 * that change it report that conditions changed. */
	plan_assign_locks(p, all, asked);
	for (size_t i = 0; i < p->handlers.n; i++) {
		struct handler_plan *h = &p->handlers.items[i];

		if (h->concurrent)
			plan_add_locks(p, &h->locks, &all[i]);
		plan_locked(p, h);
		plan_add_locks(p, &h->condition_locks, &asked[i]);
		h->condition_brief = !asked[i].loops;
	}
	find_condition_changes(p, all, asked);
	find_fetches(p, all);
	for (size_t i = 0; i < p->handlers.n; i++) {
		struct handler_plan *h = &p->handlers.items[i];

		h->prints_once = plan_prints_once(p, h, &all[i]);
		h->direct = plan_direct(p, h, &all[i], &h->why_not_direct);
		h->gated = plan_gated(p, h, &all[i], h->entry < 0 ? NULL : &all[h->entry]);
	}
}

/* ---- rows ---- */

static bool fits_row(const struct row *r, const struct handler_plan *h, const struct site *s)
{
	const struct site *first = r->sites.items[0];

	return r->handler == h && r->family == s->family && s->family->groups &&
	       first->flags == s->flags && str_same(first->point->alias, s->point->alias) &&
	       s->family->groups(s, first);
}

static void add_site(struct plan *p, const struct handler_plan *h, const struct site *s, size_t first_row)
{
	struct arena *a = p->arena;
	struct row *r;

	for (size_t i = p->rows.n; i-- > first_row;)
		if (fits_row(&p->rows.items[i], h, s)) {
			*vec_add(a, &p->rows.items[i].sites) = s;
			return;
		}
	r = vec_add(a, &p->rows);
	*r = (struct row){ .handler = h, .family = s->family };
	*vec_add(a, &r->sites) = s;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int i = 0, j = 0;

	while (families[i] != x->family)
		i++;
	while (families[j] != y->family)
		j++;
	if (i != j)
		return i - j;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void plan_rows(struct plan *p)
{
	for (size_t i = 0; i < p->handlers.n; i++) {
		const struct handler_plan *h = &p->handlers.items[i];
		size_t first_row = p->rows.n;

		if (h->is_entry)
			continue;
		vec_each(s, &h->handler->sites)
			if (s->family->runtime_ops)
				add_site(p, h, s, first_row);
	}
	for (size_t i = 0; i < p->rows.n; i++)
		p->rows.items[i].number = (unsigned)i;
	if (p->rows.n)
		qsort(p->rows.items, p->rows.n, sizeof(*p->rows.items), compare_rows);
}

/* ---- symbols of modules ---- */

size_t plan_symbol(struct plan *p, const char *symbol)
{
	size_t i = 0;

	while (i < p->symbols.n && !str_equal(p->symbols.items[i], symbol))
		i++;
	if (i == p->symbols.n)
		*vec_add(p->arena, &p->symbols) = symbol;
	return i;
}

/* ---- formats ---- */

unsigned plan_format(struct plan *p, const char *text, size_t size, u8 kind)
{
	for (size_t i = 0; i < p->formats.n; i++) {
		const struct format_plan *f = &p->formats.items[i];

		if (f->text && f->size == size && f->kind == kind && !memcmp(f->text, text, size))
			return (unsigned)i;
	}
	*vec_add(p->arena, &p->formats) =
		(struct format_plan){ .text = text, .size = size, .kind = kind };
	return (unsigned)p->formats.n - 1;
}

unsigned plan_histogram_format(struct plan *p, const struct variable *v, unsigned histogram)
{
	for (size_t i = 0; i < p->formats.n; i++)
		if (p->formats.items[i].variable == v && p->formats.items[i].histogram == histogram)
			return (unsigned)i;
	*vec_add(p->arena, &p->formats) =
		(struct format_plan){ .variable = v, .histogram = histogram };
	return (unsigned)p->formats.n - 1;
}

/* ---- the whole ---- */

static void find_embedded(struct plan *p)
{
	p->needs_embedded = p->program->embedded.n > 0;
	vec_each(f, &p->program->functions)
		p->needs_embedded |= function_is_scripts_c(*f);
}

/* C code of tapsets declares that it needs source lines. */
static void find_lines_user(struct plan *p)
{
	vec_each(f, &p->program->functions)
		if (embedded_says(*f, "/* lines */"))
			p->lines_user = *f;
}

/* ---- all expressions ---- */

struct visitor {
	void (*visit)(struct expr *e, void *data);
	void *data;
};

static void visit_expr(struct expr **ep, void *data)
{
	struct visitor *v = data;

	if (!*ep)
		return;
	v->visit(*ep, v->data);
	expr_each(*ep, visit_expr, data);
}

static void visit_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, visit_expr, visit_stmt, data);
}

void plan_each_expr(const struct plan *p, void (*visit)(struct expr *e, void *data), void *data)
{
	struct visitor v = { visit, data };

	vec_each(f, &p->program->functions)
		visit_stmt(&(*f)->body, &v);
	vec_each(h, &p->handlers)
		visit_stmt(&h->handler->body, &v);
}

bool plan_program(struct translation *t, struct program *program, struct plan *out)
{
	unsigned errors = t->diag.errors;

	*out = (struct plan){ .arena = t->arena, .options = t->options, .images = t->images, .diag = &t->diag,
			       .script_name = t->script_name, .program = program };
	plan_limits(out);
	name_all(out);
	plan_function_effects(out);
	plan_recursion(out);
	plan_costs(out);
	plan_handlers(out);
	plan_overrides(out);
	plan_rows(out);
	plan_iterators(out);
	find_embedded(out);
	find_lines_user(out);
	out->scratch = plan_scratch(out);
	out->out = 8192 > 4 * out->max_string ? 8192 : (unsigned)(4 * out->max_string);
	return t->diag.errors == errors;
}
