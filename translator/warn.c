/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset files are not told of: they serve many scripts. Nor is an alias, for the same reason: simplify
 * speaks of a probe's own body only. */
#include "warn.h"

#include <string.h>

#include "diag.h"
#include "library.h"
#include "map.h"
#include "translation.h"
#include "util.h"

enum warning_kind { WARNING_SET_ONLY, WARNING_NO_EFFECT, WARNING_NEVER_SET };

struct warning {
	enum warning_kind kind;
	const void *owner;
	const char *name;
	const char *nearest;		/* NEVER_SET: a name that is set, or NULL */
	struct span span;
};

struct warnings {
	struct translation *translation;
	struct arena *arena;
	const void *owner;
	name_list set;			/* its locals that it sets, to start with */
	VEC(struct warning) list;
	struct map useful;		/* "owner kind name": some handler makes use of it */
};

struct warnings *warnings_open(struct translation *t)
{
	struct warnings *w = arena_new(t->arena, struct warnings);

	*w = (struct warnings){ .translation = t, .arena = t->arena };
	map_init(&w->useful, t->arena);
	return w;
}

void warnings_begin(struct warnings *w, const void *owner, const variable_list *locals)
{
	w->owner = owner;
	w->set.n = 0;
	vec_each(v, locals)
		if ((*v)->is_written)
			*vec_add(w->arena, &w->set) = (*v)->name;
}

static bool is_of_user(struct span at)
{
	return at.source && !source_root(at.source)->is_library;
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

void warn_locals(struct warnings *w, const variable_list *locals)
{
	vec_each(item, locals) {
		const struct variable *v = *item;

		if (v->is_read)
			map_set(&w->useful, key(w, w->owner, WARNING_SET_ONLY, v->name), (void *)1);
		if (v->is_written)
			map_set(&w->useful, key(w, w->owner, WARNING_NEVER_SET, v->name), (void *)1);
		if (v->is_read && !v->is_written && is_of_user(v->span))
			add(w, WARNING_NEVER_SET, v->name, v->span)->nearest =
				nearest_name(v->name, w->set.items, w->set.n);
	}
}

static void tell(const struct warning *item)
{
	switch (item->kind) {
	case WARNING_SET_ONLY:
		diag_warn(item->span, "'%s' is set and never read, and left out", item->name);
		break;
	case WARNING_NO_EFFECT:
		diag_warn(item->span, "this has no effect, and is left out");
		break;
	case WARNING_NEVER_SET:
		diag_warn(item->span, "'%s' is read and never set", item->name);
		if (item->nearest)
			diag_note(item->span, "did you mean '%s'?", item->nearest);
		break;
	}
}

void warnings_tell(struct warnings *w)
{
	vec_each(item, &w->list)
		if (item->kind == WARNING_NO_EFFECT ||
		    !map_get(&w->useful, key(w, item->owner, item->kind, item->name)))
			tell(item);
}

/* ---- declarations ---- */

void warn_unused(struct translation *t, struct library *lib)
{
	if (t->options->no_optimize)
		return;
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
