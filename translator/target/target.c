/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables: $x, @cast, @var, p->member and the operators on types. place.c finds what a
 * name means at the site; walk.c follows the rest of the expression through types.
 *
 * All sites of a handler are alike: resolve makes a separate handler for each kind of site, and
 * signatures distinguish the kinds. */
#include "target.h"

#include <string.h>

#include "debuginfo/images.h"
#include "source/diag.h"
#include "points/handler.h"
#include "place.h"
#include "pretty.h"
#include "walk.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_script.h"

bool target_at_return(const struct handler *h)
{
	return h && h->sites.n && h->sites.items[0].flags & TAP_PROBE_RETURN;
}

/* Functions of Go have several results. */
static bool names_result(const struct target_scope *at, const char *name)
{
	const struct site *s = target_site(at);
	debug_variables results = { 0 };

	if (!s || !s->place || debuginfo_results(s->place, &results) != DEBUGINFO_FOUND)
		return false;
	vec_each(v, &results)
		if (str_equal(v->name, name))
			return true;
	return false;
}

bool target_is_result(const struct target_scope *at, const struct expr *e)
{
	return e->kind == EXPR_TARGET && e->target.what == TARGET_VARIABLE &&
	       (str_equal(e->target.name, "$return") || str_equal(e->target.name, "$$return") ||
		names_result(at, e->target.name + 1));
}

static unsigned pretty_depth(const component_list *list)
{
	const struct component *last = list->n ? &list->items[list->n - 1] : NULL;

	return last && last->kind == COMPONENT_PRETTY ? last->depth : 0;
}

/* ---- signatures ---- */

static void add_location(struct text *t, const struct location *l)
{
	text_printf(t, "%d", l->kind);
	vec_each(s, &l->steps)
		text_printf(t, " %d,%u,%lld,%s", s->op, s->size, (long long)s->value,
			    s->section ? s->section : "");
}

static const char *access_signature(struct arena *arena, const struct access *a, const char *type)
{
	struct text t;

	text_init(&t, arena);
	add_location(&t, &a->base);
	vec_each(s, &a->steps)
		text_printf(&t, " /%d,%lld,%llu,%zu", s->kind, (long long)s->offset,
			    (unsigned long long)s->size, s->component);
	text_printf(&t, " %d %d %u:%u %d %d %u %u %d %s %s", a->kind, a->from, a->bit_offset, a->bit_size,
		    a->is_value, a->user, a->size, a->width, a->is_signed, a->get ? a->get : "", type);
	return t.s;
}

/* ---- bases ---- */

/* Show the variables of the site, if they are known. */
static bool note_variables(struct target_walk *w, const char *name)
{
	struct sites problems = target_problems(w->at);
	site_variables list = { 0 };
	const char **names, *near;
	struct text text;

	if (w->quiet || !target_variables(w->at, "$$vars", &list, &problems) || !list.n)
		return false;
	names = arena_array(w->arena, const char *, list.n);
	text_init(&text, w->arena);
	for (size_t i = 0; i < list.n; i++) {
		names[i] = list.items[i].debug.name;
		text_printf(&text, "%s$%s", i ? ", " : "", names[i]);
	}
	near = nearest_name(name + 1, names, list.n);
	if (near)
		diag_note(w->span, "it has: %s; did you mean '$%s'?", text.s, near);
	else
		diag_note(w->span, "it has: %s", text.s);
	return false;
}

static bool start_variable(struct target_walk *w, const struct expr *e)
{
	struct sites problems = target_problems(w->at);
	const struct site *site = target_site(w->at);
	struct site_variable v;
	int64_t value;

	if (!w->at->handler)
		return target_fail(w, e->span, "'%s' in a function: target variables are available only in probes",
				   e->target.name);
	if (!target_variable(w->at, e->target.name, &v, &w->image, &problems)) {
		target_fail(w, e->span, "no variable '%s' at %s", e->target.name,
			    site ? target_site_text(w->arena, site) : "this probe");
		target_note(w, &problems);
		if (!w->quiet && target_enumerator(w->at, NULL, e->target.name + 1, &value, &problems))
			diag_note(e->span, "there is an enumerator of that name: @enum(\"%s\")", e->target.name + 1);
		return note_variables(w, e->target.name);
	}
	w->access->user = site->in_user;
	if (v.get) {
		w->access->kind = ACCESS_CALL;
		w->access->get = v.get;
		w->access->set = v.set;
		w->access->add = v.add;
		w->access->is_free = v.is_free;
		w->access->is_string = v.type == TYPE_STRING;
		return true;
	}
	w->type = v.debug.type;
	if (!w->type)
		return target_fail(w, e->span, "the type of '%s' is not known: use @cast or @var", e->target.name);
	return target_start(w, &v.debug.location, e->target.name);
}

/* Is a value of TYPE in user memory? The image that the type is from decides, wherever the probe is. */
static bool is_in_user(const struct target_scope *at, const struct debug_type *type)
{
	const struct site *site = target_site(at);

	return type->image ? debuginfo_is_user(type->image) : site && site->in_user;
}

/* @cast(pointer, "type"): treat the value as a pointer to that type, or, if the type is itself a
 * pointer, as that type. */
static bool start_cast(struct target_walk *w, const struct expr *e)
{
	struct sites problems = target_problems(w->at);
	const struct debug_type *type, *real;

	if (!target_type(w->at, e->target.module, e->target.type_name, &type, &problems)) {
		target_fail(w, e->span, "no type '%s'", e->target.type_name);
		return target_note(w, &problems);
	}
	real = debug_type_real(type);
	w->access->from = ACCESS_FROM_EXPR;
	w->access->user = is_in_user(w->at, type);
	w->type = type;
	w->in_memory = w->is_cast = real->kind != DEBUG_POINTER;
	return true;
}

static bool start_global(struct target_walk *w, const struct expr *e)
{
	struct sites problems = target_problems(w->at);
	struct debug_variable v;

	v.name = NULL;
	if (!target_global(w->at, e->target.module, e->target.name, &v, &w->image, &problems) &&
	    !(v.name && e->target.address && !e->target.components.n)) {
		target_fail(w, e->span, "no variable '%s'", e->target.name);
		return target_note(w, &problems);
	}
	w->access->user = debuginfo_is_user(w->image);
	w->type = v.type;
	return target_start(w, &v.location, e->target.name);
}

static bool start(struct target_walk *w, const struct expr *e)
{
	switch (e->target.what) {
	case TARGET_VARIABLE: return start_variable(w, e);
	case TARGET_CAST: return start_cast(w, e);
	case TARGET_VAR: return start_global(w, e);
	}
	return false;
}

/* ---- the whole expression ---- */

/* @cast(p, "type") alone is the pointer P itself. */
static bool wants_address(const struct target_walk *w, const struct expr *e)
{
	return e->target.address || (w->is_cast && !e->target.components.n);
}

static bool end(struct target_walk *w, struct expr *e)
{
	unsigned depth = pretty_depth(&e->target.components);

	if (w->access->kind == ACCESS_CALL) {
		if (e->target.components.n || e->target.address)
			return target_fail(w, e->span, "'%s' is a plain value", e->target.name);
		return true;
	}
	if (!w->type) {		/* only the address is known */
		w->access->kind = ACCESS_ADDRESS;
		return true;
	}
	if (!target_follow(w, &e->target.components))
		return false;
	if (!depth)
		return target_finish(w, wants_address(w, e));
	e->target.pretty = target_pretty(w, depth);
	return e->target.pretty != NULL;
}

static bool resolve_walk(struct target_walk *w, struct expr *e);

static bool resolve_with(const struct target_scope *at, struct expr *e, bool quiet)
{
	struct target_walk w = { .arena = at->images->arena, .at = at, .span = e->span, .quiet = quiet };

	w.access = arena_new(w.arena, struct access);
	e->target.pretty = NULL;
	if (!resolve_walk(&w, e)) {
		e->target.pretty = NULL;
		return false;
	}
	w.access->signature = access_signature(w.arena, w.access,
		w.type && (e->target.pretty || e->target.address || w.access->size == 8) ?
			debug_type_text(w.arena, w.type) : "");
	e->target.access = w.access;
	if (w.type && !e->target.pretty)
		e->pointee = target_pointee(&w, wants_address(&w, e));
	return true;
}

bool target_resolve(const struct target_scope *at, struct expr *e)
{
	return resolve_with(at, e, true);
}

void target_complain(const struct target_scope *at, struct expr *e)
{
	resolve_with(at, e, false);
}

static bool resolve_arrow(const struct target_scope *at, struct expr *e, bool quiet)
{
	struct target_walk w = { .arena = at->images->arena, .at = at, .span = e->span,
				 .type = e->arrow.base->pointee, .in_memory = true, .is_cast = true, .quiet = quiet };
	unsigned depth = pretty_depth(&e->arrow.components);

	w.access = arena_new(w.arena, struct access);
	w.access->from = ACCESS_FROM_EXPR;
	w.access->user = is_in_user(at, w.type);
	if (!target_follow(&w, &e->arrow.components))
		return false;
	if (depth)
		e->arrow.pretty = target_pretty(&w, depth);
	else if (!target_finish(&w, e->arrow.address))
		return false;
	if (depth && !e->arrow.pretty)
		return false;
	e->arrow.access = w.access;
	if (!depth)
		e->pointee = target_pointee(&w, e->arrow.address);
	return true;
}

bool target_resolve_arrow(const struct target_scope *at, struct expr *e)
{
	return resolve_arrow(at, e, false);
}

/* ---- lists: $$vars is a sprintf of all variables ---- */

static bool is_list(const struct expr *e)
{
	return e->target.what == TARGET_VARIABLE && !strncmp(e->target.name, "$$", 2) &&
	       (str_equal(e->target.name, "$$vars") || str_equal(e->target.name, "$$parms") ||
		str_equal(e->target.name, "$$locals") || str_equal(e->target.name, "$$return"));
}

struct listing {
	const struct target_walk *walk;
	struct text format;
	expr_list args;
	unsigned depth;			/* 0: numbers */
};

static struct expr *variable_expr(const struct listing *l, const char *name)
{
	struct arena *a = l->format.arena;
	struct span span = l->walk->span;
	struct expr *e = expr_make(a, EXPR_TARGET, span);

	e->target.what = TARGET_VARIABLE;
	e->target.name = arena_printf(a, "$%s", name);
	e->type = l->depth ? TYPE_STRING : TYPE_LONG;
	if (l->depth)
		*vec_add(a, &e->target.components) = (struct component){ .kind = COMPONENT_PRETTY, .span = span,
									 .depth = l->depth };
	return e;
}

static void list_variable(struct listing *l, const char *name)
{
	struct expr *e = variable_expr(l, name);

	if (l->format.n)
		text_char(&l->format, ' ');
	if (!target_resolve(l->walk->at, e)) {
		text_printf(&l->format, "%s=?", name);
		return;
	}
	if (e->target.access->kind == ACCESS_CALL && e->target.access->is_string)
		e->type = TYPE_STRING;
	text_printf(&l->format, "%s=%s", name, e->type == TYPE_STRING ? "%s" : "%#x");
	*vec_add(l->format.arena, &l->args) = e;
}

static bool resolve_list(struct target_walk *w, struct expr *e)
{
	struct listing l = { .walk = w, .depth = pretty_depth(&e->target.components) };
	struct sites problems = target_problems(w->at);
	bool is_result = str_equal(e->target.name, "$$return");
	site_variables list = { 0 };

	if (!w->at->handler)
		return target_fail(w, e->span, "'%s' in a function: target variables are available only in probes",
				   e->target.name);
	if (!target_variables(w->at, e->target.name, &list, &problems)) {
		target_fail(w, e->span, "'%s' is not known at %s", e->target.name,
			    target_site_text(w->arena, target_site(w->at)));
		return target_note(w, &problems);
	}
	text_init(&l.format, w->arena);
	vec_each(v, &list)
		list_variable(&l, is_result && list.n == 1 ? "return" : v->debug.name);
	e->target.pretty = target_sprintf(w->arena, w->span, &l.format, &l.args);
	return true;
}

static bool resolve_walk(struct target_walk *w, struct expr *e)
{
	return is_list(e) ? resolve_list(w, e) : start(w, e) && end(w, e);
}

/* ---- questions about expressions ---- */

static void add_pretty(struct expr **ep, void *data)
{
	struct text *t = data;
	struct expr *e = *ep;

	if (e->kind == EXPR_PRINT)
		text_printf(t, " \"%.*s\"", (int)e->print.format_size, e->print.format);
	if (e->kind == EXPR_TARGET && e->target.access)
		text_printf(t, " {%s}", access_signature(t->arena, e->target.access, ""));
	expr_each(e, add_pretty, t);
}

const char *target_signature(const struct target_scope *at, struct expr *e)
{
	struct expr copy = *e;
	struct text text;

	if (!resolve_with(at, &copy, true))
		return "";
	text_init(&text, at->images->arena);
	text_add(&text, copy.target.access->signature);
	if (copy.target.pretty)
		add_pretty(&copy.target.pretty, &text);
	return text.s;
}

const struct debug_type *target_arrow_pointee(const struct target_scope *at,
					      const struct expr *e)
{
	struct expr copy = *e;

	if (pretty_depth(&e->arrow.components) || !resolve_arrow(at, &copy, true))
		return NULL;
	return copy.pointee;
}

const struct debug_type *target_type_of(const struct target_scope *at, const struct expr *e)
{
	struct target_walk w = { .arena = at->images->arena, .at = at, .span = e->span, .quiet = true };
	bool is_arrow = e->kind == EXPR_ARROW;

	w.access = arena_new(w.arena, struct access);
	if (is_arrow) {
		w.type = e->arrow.base->pointee;
		w.in_memory = w.is_cast = true;
	}
	if (is_arrow ? !w.type : is_list(e) || !start(&w, e) || !w.type)
		return NULL;
	return target_follow(&w, is_arrow ? &e->arrow.components : &e->target.components) ? w.type : NULL;
}

/* A register, or any part of one. */
static bool is_in_register(const struct access *a)
{
	for (size_t i = 0; i < a->base.steps.n; i++) {
		enum location_op op = a->base.steps.items[i].op;

		if (i ? op != LOCATION_SIGN && op != LOCATION_ZERO : op != LOCATION_REGISTER)
			return false;
	}
	return a->is_value && a->base.steps.n;
}

bool target_is_writable(const struct expr *e, bool is_guru)
{
	const struct access *a = e->kind == EXPR_ARROW ? e->arrow.access : e->target.access;

	if (!is_guru && !(a && a->is_free)) {
		diag_error(e->span, "writing to probed data needs guru mode (-g)");
		return false;
	}
	if (!a || (a->kind == ACCESS_NUMBER && (!a->is_value || is_in_register(a))) ||
	    (a->kind == ACCESS_CALL && a->set))
		return true;
	diag_error(e->span, "this cannot be written to");
	return false;
}

bool target_is_defined(const struct target_scope *at, const struct expr *e)
{
	struct expr copy = *e;

	if (e->kind == EXPR_ARROW)
		return e->arrow.base->pointee && resolve_arrow(at, &copy, true);
	return e->kind != EXPR_TARGET || resolve_with(at, &copy, true);
}
