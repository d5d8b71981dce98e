/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There are no warnings about tapset files, which serve many scripts. For the same reason no warnings are given about
 * aliases: simplify warns only about a probe's own body. */
#include "warn.h"

#include <string.h>

#include "debuginfo/images.h"
#include "source/diag.h"
#include "points/family.h"
#include "syntax/foreign.h"
#include "library/library.h"
#include "resolve.h"
#include "base/map.h"
#include "base/util.h"

enum warning_kind { WARNING_SET_ONLY, WARNING_NO_EFFECT, WARNING_NEVER_SET };

struct warning {
	enum warning_kind kind;
	const void *owner;
	const char *name;
	const char *advice;		/* NEVER_SET: a suggestion, or NULL */
	struct variable *variable;	/* NEVER_SET */
	struct span span;
};

struct warnings {
	struct library *library;
	struct images *images;
	const struct options *options;
	struct arena *arena;
	const void *owner;
	const struct handler *handler;	/* NULL: the owner is a function */
	name_list set;			/* the owner's locals that it sets, before simplification */
	struct map set_elsewhere;	/* name -> struct setter, for the user's own code */
	VEC(struct warning) list;
	struct map useful;		/* "owner kind name": some handler uses it */
};

/* The first and the last owner that set a local of some name, and where. */
struct setter {
	const void *owner, *last_owner;
	struct span span, last_span;
};

static bool is_of_user(struct span at)
{
	return at.source && !source_root(at.source)->is_library;
}

static void note_setter(struct warnings *w, const struct variable *v)
{
	struct setter *s = map_get(&w->set_elsewhere, v->name);

	if (!is_of_user(v->span))
		return;
	if (!s) {
		s = arena_new(w->arena, struct setter);
		*s = (struct setter){ .owner = w->owner, .span = v->span };
		map_set(&w->set_elsewhere, v->name, s);
	}
	s->last_owner = w->owner;
	s->last_span = v->span;
}

struct warnings *warnings_open(struct images *images, const struct options *o, struct library *lib)
{
	struct arena *a = images->arena;
	struct warnings *w = arena_new(a, struct warnings);

	*w = (struct warnings){ .images = images, .options = o, .library = lib, .arena = a };
	map_init(&w->useful, a);
	map_init(&w->set_elsewhere, a);
	return w;
}

void warnings_begin(struct warnings *w, const void *owner, const struct handler *h, const variable_list *locals)
{
	w->owner = owner;
	w->handler = h;
	w->set.n = 0;
	vec_each(v, locals)
		if ((*v)->is_written) {
			*vec_add(w->arena, &w->set) = (*v)->name;
			note_setter(w, *v);
		}
}

static const char *key(struct warnings *w, const void *owner, enum warning_kind kind, const char *name)
{
	return arena_printf(w->arena, "%p %d %s", owner, kind, name);
}

static struct warning *add(struct warnings *w, enum warning_kind kind, const char *name, struct span at)
{
	struct warning *added = vec_add(w->arena, &w->list);

	*added = (struct warning){ .kind = kind, .owner = w->owner, .name = name, .span = at };
	return added;
}

void warn_set_only(struct warnings *w, const struct variable *v)
{
	if (is_of_user(v->span) && !v->is_asked_for)
		add(w, WARNING_SET_ONLY, v->name, v->span);
}

void warn_no_effect(struct warnings *w, const struct expr *e)
{
	if (is_of_user(e->span))
		add(w, WARNING_NO_EFFECT, "", e->span);
}

/* Adds the names that the sites of a probe offer without a '$'. The first few sites are sufficient. */
static void add_offered(struct warnings *w, name_list *names)
{
	struct sites quiet = { .images = w->images, .options = w->options, .arena = w->arena };
	enum { ENOUGH = 8 };

	for (size_t i = 0; w->handler && i < w->handler->sites.n && i < ENOUGH; i++) {
		const struct site *s = &w->handler->sites.items[i];
		site_variables all = { 0 };

		if (!s->family->offers)
			continue;
		s->family->variables(s, VARIABLES_PARAMETERS | VARIABLES_LOCALS, &all, &quiet);
		vec_each(v, &all)
			if (s->family->offers(s, v->debug.name, w->arena))
				*vec_add(w->arena, names) = v->debug.name;
	}
}

/* A suggestion for a variable that is never set. */
static const char *advice(struct warnings *w, const struct variable *v)
{
	function_list *same = library_functions(w->library, v->name, v->span.source);
	name_list names = { 0 };
	const char *near;

	vec_each(name, &w->set)
		*vec_add(w->arena, &names) = *name;
	add_offered(w, &names);
	library_user_globals(w->library, &names);
	near = nearest_name(v->name, names.items, names.n);
	if (near)
		return arena_printf(w->arena, "did you mean '%s'?", near);
	if (same && !same->items[0]->parameters.n)
		return arena_printf(w->arena, "did you mean the function '%s()'?", v->name);
	near = foreign_word(v->name);
	return near ? arena_printf(w->arena, "'%s' of other languages is %s here", v->name, near) : NULL;
}

void warn_locals(struct warnings *w, const variable_list *locals)
{
	vec_each(item, locals) {
		const struct variable *v = *item;

		if (v->is_read)
			map_set(&w->useful, key(w, w->owner, WARNING_SET_ONLY, v->name), (void *)1);
		if (v->is_written)
			map_set(&w->useful, key(w, w->owner, WARNING_NEVER_SET, v->name), (void *)1);
		if (v->is_read && !v->is_written && is_of_user(v->span)) {
			struct warning *added = add(w, WARNING_NEVER_SET, v->name, v->span);

			added->variable = *item;
			added->advice = advice(w, v);
		}
	}
}

/* A local of the same name in another probe or function, which the user may take for the same variable; or NULL. */
static const struct span *set_by_another(const struct warnings *w, const struct warning *item)
{
	const struct setter *s = map_get(&w->set_elsewhere, item->name);

	return !s ? NULL : s->owner != item->owner ? &s->span : s->last_owner != item->owner ? &s->last_span : NULL;
}

/* If its type is unknown, this is an error instead of a warning, and the only message about it. */
static void tell_never_set(const struct warnings *w, const struct warning *item, bool types_known)
{
	const struct span *elsewhere = set_by_another(w, item);
	const char *text = arena_printf(w->arena, elsewhere ?
		"'%s' is local to each probe and function, and is never set in this one: declare 'global %s'" :
		"'%s' is read and never set", item->name, item->name);

	if (types_known && item->variable->type == TYPE_UNKNOWN) {
		item->variable->type = TYPE_ERROR;
		diag_error(item->span, "%s", text);
	} else {
		diag_warn(item->span, "%s", text);
	}
	if (elsewhere)
		diag_note(*elsewhere, "this '%s' is another variable", item->name);
	else if (item->advice)
		diag_note(item->span, "%s", item->advice);
}

/* Is there a warning at the place where it is read? */
static bool is_read_elsewhere(const struct warnings *w, const struct warning *item)
{
	vec_each(other, &w->list)
		if (other->kind == WARNING_NEVER_SET && other->owner != item->owner &&
		    str_equal(other->name, item->name))
			return true;
	return false;
}

static void tell(const struct warnings *w, const struct warning *item, bool types_known)
{
	switch (item->kind) {
	case WARNING_SET_ONLY:
		if (!is_read_elsewhere(w, item))
			diag_warn(item->span, "'%s' is set and never read, and left out", item->name);
		break;
	case WARNING_NO_EFFECT:
		diag_warn(item->span, "this has no effect, and is left out");
		break;
	case WARNING_NEVER_SET:
		tell_never_set(w, item, types_known);
		break;
	}
}

void warnings_tell(struct warnings *w, bool types_known)
{
	vec_each(item, &w->list)
		if (item->kind == WARNING_NO_EFFECT ||
		    !map_get(&w->useful, key(w, item->owner, item->kind, item->name)))
			tell(w, item, types_known);
}

/* ---- declarations ---- */

void warn_unused(struct library *lib)
{
	vec_each(s, &lib->scripts) {
		if ((*s)->source->is_library)
			continue;
		vec_each(v, &(*s)->globals)
			if (!(*v)->is_used)
				diag_warn((*v)->span, "global '%s' is never used", (*v)->name);
		vec_each(f, &(*s)->functions)
			if (!(*f)->is_used)
				diag_warn((*f)->span, "function '%s' is never called", (*f)->name);
	}
}
