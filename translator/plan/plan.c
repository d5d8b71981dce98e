/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides where globals are stored and what is locked.
 *
 * First it computes the effects of each function and handler: which globals it and its callees read, write
 * and step. From these it follows that a global needs no lock if no concurrent handler writes it (begin, end
 * and error handlers run alone); that a global which is only stepped is a per-CPU counter; and that globals
 * which all handlers use in the same way share one lock. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/access.h"
#include "source/diag.h"
#include "source/options.h"
#include "cost.h"
#include "limits.h"
#include "override.h"
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
				    arena_printf(a, "tap_fn_%s", f->name) :
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

/* ---- effects ---- */

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

static void add_effects(const struct plan *p, struct effects *to, const struct effects *from)
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

/* C code of tapsets declares that it reads registers. */
static unsigned regs_of(const struct function *f)
{
	if (embedded_says(f, "/* overrides */"))
		return TAP_PROBE_ALL_REGS | TAP_PROBE_OVERRIDE;
	if (embedded_says(f, "/* all registers */"))
		return TAP_PROBE_ALL_REGS;
	return embedded_says(f, "/* registers */") ? TAP_PROBE_REGS : 0;
}

/* C code accesses globals only through these functions. */
static void note_accessors(const struct plan *p, struct effects *out, const function_list *accessors)
{
	for (size_t i = 0; p->function_effects && i < accessors->n; i++)
		add_effects(p, out, &p->function_effects[accessors->items[i]->number]);
}

static void note_call(struct effect_walk *w, const struct expr *e)
{
	vec_each(f, &e->call.candidates) {
		if (w->plan->function_effects)
			add_effects(w->plan, w->out, &w->plan->function_effects[(*f)->number]);
		/* Assume that C code prints and loops. */
		if (function_is_scripts_c(*f))
			w->out->loops = w->out->prints = true, w->out->regs |= TAP_PROBE_ALL_REGS;
		else if ((*f)->embedded && !embedded_says(*f, "/* pure */"))
			w->out->prints = true;
		if ((*f)->embedded && !embedded_says(*f, "/* pure */"))
			w->out->impure = (*f)->name;
		w->out->regs |= regs_of(*f);
		w->out->calls_regs |= regs_of(*f) != 0;
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
		note_variable(w, e->in.array, EFFECT_READ);
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		note_variable(w, e->stat.stat, EFFECT_READ);
		break;
	case EXPR_CALL:
		note_call(w, e);
		break;
	case EXPR_EMBEDDED:
		note_accessors(w->plan, w->out, &e->embedded.accessors);
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
		note_variable(w, s->expr, EFFECT_WRITE | EFFECT_ASSIGN);
		w->out->loops |= s->expr->kind == EXPR_NAME;
	}
	if (s->kind == STMT_TRY && s->try_.message)
		note_variable(w, s->try_.message, EFFECT_WRITE | EFFECT_ASSIGN);
	stmt_each(s, s->kind == STMT_DELETE && s->expr->kind == EXPR_NAME ? NULL : walk_expr, walk_stmt, w);
}

static struct effects no_effects(const struct plan *p)
{
	return (struct effects){
		.use = arena_array(p->arena, unsigned char, p->globals.n + 1) };
}

struct effects plan_effects(const struct plan *p, struct stmt *s)
{
	struct effects e = no_effects(p);
	struct effect_walk w = { p, &e };

	walk_stmt(&s, &w);
	return e;
}

void plan_expr_effects(const struct plan *p, struct expr *e, struct effects *out)
{
	struct effect_walk w = { p, out };

	if (!out->use)
		*out = no_effects(p);
	walk_expr(&e, &w);
}

static void find_function_effects(struct plan *p)
{
	struct arena *a = p->arena;
	function_list *functions = &p->program->functions;
	bool changed = true;

	p->function_effects = arena_array(a, struct effects, functions->n + 1);
	for (size_t i = 0; i < functions->n; i++)
		p->function_effects[i] = no_effects(p);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < functions->n; i++) {
			struct function *f = functions->items[i];
			struct effects now;

			now = f->body ? plan_effects(p, f->body) : no_effects(p);
			note_accessors(p, &now, &f->accessors);
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

static void find_recursion(struct plan *p)
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

/* ---- storage and locks ---- */

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

static unsigned lock_mode(const struct global_plan *g, unsigned use)
{
	switch (g->storage) {
	case STORAGE_COUNTER:
	case STORAGE_CELL_STATS:
		return 0;
	case STORAGE_MAP:
		if (g->variable->type == TYPE_STATS)
			return use & (EFFECT_ASSIGN | EFFECT_FOREACH | EFFECT_READ) ? 2 : 0;
		return use & (EFFECT_ASSIGN | EFFECT_FOREACH) ? 2 : use & EFFECT_READ ? 1 : 0;
	case STORAGE_STATIC:
		break;
	}
	return use & (EFFECT_ASSIGN | EFFECT_STEP) ? 2 : use & EFFECT_READ ? 1 : 0;
}

/* Two globals that each concurrent handler uses in the same mode share a lock. */
static bool same_modes(const struct plan *p, const struct effects *all, const struct global_plan *a,
		       const struct global_plan *b)
{
	for (size_t i = 0; i < p->handlers.n; i++)
		if (p->handlers.items[i].concurrent &&
		    lock_mode(a, all[i].use[a->variable->number]) !=
			    lock_mode(b, all[i].use[b->variable->number]))
			return false;
	return true;
}

static void assign_locks(struct plan *p, const struct effects *all, const struct effects *asked)
{
	for (size_t i = 0; i < p->globals.n; i++) {
		struct global_plan *g = &p->globals.items[i];
		bool written = false;

		for (size_t h = 0; h < p->handlers.n; h++)
			written |= (p->handlers.items[h].concurrent &&
				    lock_mode(g, all[h].use[g->variable->number]) == 2) ||
				   lock_mode(g, asked[h].use[g->variable->number]) == 2;
		if (!written)
			continue;
		for (size_t j = 0; j < i && g->lock < 0; j++)
			if (p->globals.items[j].lock >= 0 &&
			    same_modes(p, all, g, &p->globals.items[j]))
				g->lock = p->globals.items[j].lock;
		if (g->lock < 0)
			g->lock = (int)p->lock_count++;
	}
}

static void need_locks(struct plan *p, lock_list *locks, const struct effects *e)
{
	unsigned *modes = arena_array(p->arena, unsigned, p->lock_count + 1);

	vec_each(g, &p->globals) {
		unsigned mode = g->lock < 0 ? 0 : lock_mode(g, e->use[g->variable->number]);

		if (mode && mode > modes[g->lock])
			modes[g->lock] = mode;
	}
	for (unsigned i = 0; i < p->lock_count; i++)
		if (modes[i])
			*vec_add(p->arena, locks) = (struct lock_need){ i, modes[i] == 2 };
}

bool plan_needs_lock(const struct plan *p, const struct effects *e)
{
	for (size_t i = 0; i < p->globals.n; i++)
		if (p->globals.items[i].lock >= 0 && lock_mode(&p->globals.items[i], e->use[i]))
			return true;
	return false;
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
		if (own->use[g->variable->number] & ~(EFFECT_READ | EFFECT_FOREACH))
			diag_error(e->span, "a probe's condition must not change '%s', but a function that it calls "
				   "does", g->variable->name);
}

/* The effects of all conditions of a handler. */
static struct effects condition_effects(const struct plan *p, const struct handler *h)
{
	struct effects all = no_effects(p);

	vec_each(c, &h->conditions) {
		struct effects own = no_effects(p);

		plan_expr_effects(p, *c, &own);
		check_condition(p, *c, &own);
		add_effects(p, &all, &own);
	}
	return all;
}

static void find_condition_changes(struct plan *p, const struct effects *all, const struct effects *asked)
{
	struct effects read = no_effects(p);

	for (size_t i = 0; i < p->handlers.n; i++)
		add_effects(p, &read, &asked[i]);
	for (size_t i = 0; i < p->handlers.n; i++)
		for (size_t g = 0; g < p->globals.n; g++)
			if (read.use[g] && all[i].use[g] & (EFFECT_ASSIGN | EFFECT_STEP | EFFECT_ACCUMULATE))
				p->handlers.items[i].changes_conditions = true;
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
		p->handlers.items[i].brief = !all[i].loops;
		p->handlers.items[i].user_stack = all[i].user_stack;
		p->bursts |= p->handlers.items[i].concurrent && all[i].prints;
		p->handlers.items[i].regs = all[i].regs;
	}
	vec_each(g, &p->globals)
		choose_storage(p, g, all, p->handlers.n);
	/* A condition must see changes of a counter at once. It can still be a counter, because the handlers
	 * that change it report that conditions changed. */
	assign_locks(p, all, asked);
	for (size_t i = 0; i < p->handlers.n; i++) {
		struct handler_plan *h = &p->handlers.items[i];

		if (h->concurrent)
			need_locks(p, &h->locks, &all[i]);
		need_locks(p, &h->condition_locks, &asked[i]);
		h->condition_brief = !asked[i].loops;
	}
	find_condition_changes(p, all, asked);
	find_fetches(p, all);
	for (size_t i = 0; i < p->handlers.n; i++) {
		struct handler_plan *h = &p->handlers.items[i];

		h->direct = plan_direct(p, h, &all[i]);
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

/* ---- foreach ----
 * How many loops over an array can be active at once, of those that use a list of its elements: sorted
 * loops, and all loops over aggregates. They nest in a body and in functions that are called inside a loop.
 * One walk measures all arrays. */

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
static void measure_foreach(struct plan *p)
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

void plan_each_expr(struct plan *p, void (*visit)(struct expr *e, void *data), void *data)
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
	find_function_effects(out);
	find_recursion(out);
	plan_costs(out);
	plan_handlers(out);
	plan_overrides(out);
	plan_rows(out);
	measure_foreach(out);
	find_embedded(out);
	find_lines_user(out);
	out->scratch = plan_scratch(out);
	out->out = 8192 > 4 * out->max_string ? 8192 : (unsigned)(4 * out->max_string);
	return t->diag.errors == errors;
}
