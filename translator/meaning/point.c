/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves probe points to sites. "vfs.read.return?" is resolved through the aliases that define it, with
 * their prologues and epilogues around the probe's body, down to points that a family supports. The
 * families (probes/) interpret the components; this file handles matching, aliases, wildcards, optional
 * and sufficient points. */
#include "point.h"

#include <string.h>

#include "source/diag.h"
#include "points/family.h"
#include "library/absent.h"
#include "library/library.h"
#include "library/point_name.h"
#include "resolver.h"
#include "source/options.h"
#include "base/util.h"
#include "syntax/print.h"

enum { MOST_ALIAS_DEPTH = 32 };

/* ---- the walk from a point to its sites ---- */

struct walk {
	struct resolver *resolver;
	struct probe *probe;
	handler_list *handlers;
	VEC(const struct probe *) aliases;	/* on the way to the current point */
	expr_list conditions;
	size_t first_handler;			/* of this probe in handlers */
	name_list reasons;
	bool left_out;				/* --simulate: the point belongs to a family that is not simulated */
};

static bool resolve_point(struct walk *w, const struct point *p);

static bool same_chain(const struct walk *w, const struct handler *h)
{
	if (h->aliases.n != w->aliases.n || h->conditions.n != w->conditions.n)
		return false;
	for (size_t i = 0; i < h->aliases.n; i++)
		if (h->aliases.items[i] != w->aliases.items[i])
			return false;
	for (size_t i = 0; i < h->conditions.n; i++)
		if (h->conditions.items[i] != w->conditions.items[i])
			return false;
	return true;
}

static void add_body(struct arena *a, struct stmt *block, const struct stmt *body)
{
	if (body)
		*vec_add(a, &block->block) = stmt_copy(a, body);
}

/* The body: prologues from the innermost alias outwards, the probe's own body, epilogues back inwards. An
 * alias that is built on another one can thus use the variables that the other one sets. */
static struct stmt *compose_body(struct walk *w)
{
	struct arena *a = w->resolver->arena;
	struct stmt *block = stmt_make(a, STMT_BLOCK, w->probe->span);

	for (size_t i = w->aliases.n; i-- > 0;) {
		const struct probe *alias = w->aliases.items[i];

		if (!alias->is_epilogue)
			add_body(a, block, alias->body);
	}
	add_body(a, block, w->probe->body);
	for (size_t i = 0; i < w->aliases.n; i++) {
		const struct probe *alias = w->aliases.items[i];

		add_body(a, block, alias->is_epilogue ? alias->body : alias->epilogue);
	}
	return block;
}

/* The handler for the sites of the current point. There is one for each chain of aliases. */
static struct handler *handler_here(struct walk *w)
{
	struct arena *a = w->resolver->arena;
	struct handler *h;

	for (size_t i = w->first_handler; i < w->handlers->n; i++)
		if (same_chain(w, w->handlers->items[i]))
			return w->handlers->items[i];
	h = arena_new(a, struct handler);
	h->probe = w->probe;
	h->body = compose_body(w);
	vec_each(alias, &w->aliases)
		*vec_add(a, &h->aliases) = *alias;
	vec_each(c, &w->conditions)
		*vec_add(a, &h->conditions) = *c;
	*vec_add(a, w->handlers) = h;
	return h;
}

static bool resolve_in_family(struct walk *w, const struct point *p, const struct probe_family *family,
			      const struct point_shape *shape)
{
	struct resolver *r = w->resolver;
	struct sites sites = { .images = r->images, .options = r->options, .arena = r->arena };
	struct handler *h;

	if (r->options->simulate && !family->simulated) {
		w->left_out = true;
		return true;
	}
	if (!family->resolve(p, shape, &sites)) {
		vec_each(reason, &sites.reasons)
			*vec_add(r->arena, &w->reasons) = *reason;
		return false;
	}
	r->program->skipped += sites.skipped;
	h = handler_here(w);
	vec_each(s, &sites.list)
		*vec_add(r->arena, &h->sites) = *s;
	return true;
}

/* Would MEANT, an expansion of the pattern P, repeat a point through the family's synonym? */
static bool is_repeated(const struct probe_family *family, const struct point *p, const struct point *meant)
{
	return family->synonym && point_component(meant, family->synonym) && !point_component(p, family->synonym);
}

static bool resolve_in_families(struct walk *w, const struct point *p, bool *known)
{
	bool found = false;
	size_t used;

	for (size_t i = 0; families[i]; i++)
		for (const struct point_shape *s = families[i]->shapes; s->text; s++) {
			const struct point *meant = point_name_meant(w->resolver->arena, p, s->text, false, &used);

			if (!meant || is_repeated(families[i], p, meant))
				continue;
			*known = true;
			found |= resolve_in_family(w, meant, families[i], s);
		}
	return found;
}

/* USE as the script could have written it for only the alias NAME. */
static const char *use_of_alias(struct arena *a, const struct point *use, const struct point *name, size_t used)
{
	struct point p = { 0 };

	if (use->alias)
		return use->alias;
	vec_each(c, &name->components)
		*vec_add(a, &p.components) = *c;
	for (size_t i = used; i < use->components.n; i++)
		*vec_add(a, &p.components) = use->components.items[i];
	return point_text(a, &p);
}

/* A point of an alias's definition, with the suffix that followed the alias's name. */
static struct point *with_suffix(struct walk *w, const struct point *definition, const struct point *use,
				 size_t used, const char *alias)
{
	struct arena *a = w->resolver->arena;
	struct point *p = arena_new(a, struct point);

	*p = *definition;
	p->components.items = NULL;
	p->components.n = p->components.room = 0;
	vec_each(c, &definition->components)
		*vec_add(a, &p->components) = *c;
	for (size_t i = used; i < use->components.n; i++)
		*vec_add(a, &p->components) = use->components.items[i];
	p->derived_from = use;
	p->alias = alias;
	return p;
}

/* Resolves the points of an alias in order, for USE. All points that are not optional must be found, unless a
 * sufficient point before them was found. */
static bool resolve_alias_points(struct walk *w, const struct probe *alias, const struct point *use,
				 const struct point *name, size_t used)
{
	const char *text = use_of_alias(w->resolver->arena, use, name, used);
	bool found = false, failed = false;

	vec_each(item, &alias->points) {
		bool here = resolve_point(w, with_suffix(w, *item, use, used, text));

		if (here && (*item)->sufficient)
			return true;
		found |= here;
		failed |= !here && !(*item)->optional && !(*item)->sufficient;
	}
	return found && !failed;
}

static const char *alias_name(struct arena *a, const struct point *name)
{
	struct text t;

	text_init(&t, a);
	vec_each(c, &name->components) {
		if (c != name->components.items)
			text_char(&t, '.');
		text_add(&t, c->name);
		if (c->has_argument)
			text_add(&t, c->is_string ? "(string)" : "(number)");
	}
	return t.s;
}

/* The alias's name that matches, or NULL. USED: the number of the point's components that it matches. */
static const struct point *alias_fits(struct walk *w, const struct point *p, const struct probe *alias,
				      size_t *used)
{
	const char *first = p->components.items[0].name;

	vec_each(name, &alias->names)
		if ((strchr(first, '*') || str_equal(first, (*name)->components.items[0].name)) &&
		    point_name_fits(w->resolver->arena, p, alias_name(w->resolver->arena, *name), true,
				 used))
			return *name;
	return NULL;
}

static bool is_entered(const struct walk *w, const struct probe *alias)
{
	vec_each(a, &w->aliases)
		if (*a == alias)
			return true;
	return false;
}

static bool enter_alias(struct walk *w, const struct point *p, const struct probe *alias,
			const struct point *name, size_t used)
{
	bool found;

	if (w->aliases.n >= MOST_ALIAS_DEPTH || is_entered(w, alias)) {
		*vec_add(w->resolver->arena, &w->reasons) = arena_printf(w->resolver->arena,
			"alias '%s' leads to itself", alias_name(w->resolver->arena,
								 alias->names.items[0]));
		return false;
	}
	diag_used(alias->span, p->span);
	*vec_add(w->resolver->arena, &w->aliases) = alias;
	found = resolve_alias_points(w, alias, p, name, used);
	w->aliases.n--;
	return found;
}

static bool resolve_in_aliases(struct walk *w, const struct point *p, bool *known)
{
	bool found = false, exact = false;

	library_read_aliases(w->resolver->library, p);
	/* "a.b" before "a" with the suffix ".b" */
	for (int suffix = 0; suffix < 2 && !exact; suffix++)
		for (size_t i = 0; i < w->resolver->library->aliases.n; i++) {
			const struct probe *alias = w->resolver->library->aliases.items[i];
			const struct point *name;
			size_t used;

			name = alias_fits(w, p, alias, &used);
			if (!name || (used < p->components.n) != suffix)
				continue;
			*known = exact = true;
			found |= enter_alias(w, p, alias, name, used);
		}
	return found;
}

/* ---- messages ---- */

static bool is_listed(const name_list *names, const char *name)
{
	vec_each(n, names)
		if (str_equal(*n, name))
			return true;
	return false;
}

/* The names that can follow P's first one, each with what its argument is, if P's second name fits one of them
 * but for the argument, or is not near any of them; otherwise NULL. */
static const char *second_names(struct walk *w, const struct point *p)
{
	struct arena *a = w->resolver->arena;
	const struct point_component *second = p->components.n > 1 ? &p->components.items[1] : NULL;
	name_list names = { 0 }, written = { 0 };
	bool fits = false;
	struct text t;

	text_init(&t, a);
	for (size_t i = 0; second && families[i]; i++)
		for (const struct point_shape *s = families[i]->shapes; s->text; s++) {
			const char *dot = strchr(s->text, '.'), *name;

			if (!dot || strncmp(s->text, p->components.items[0].name, (size_t)(dot - s->text)) != 0 ||
			    p->components.items[0].name[dot - s->text])
				continue;
			name = arena_strndup(a, dot + 1, strcspn(dot + 1, "."));
			if (is_listed(&written, name))
				continue;
			*vec_add(a, &written) = name;
			text_printf(&t, "%s%s", t.n ? ", " : "", name);
			name = arena_strndup(a, name, strcspn(name, "("));
			fits |= !second->has_argument && glob_match(second->name, name);
			*vec_add(a, &names) = name;
		}
	return names.n && (fits || !nearest_name(second->name, names.items, names.n)) ? t.s : NULL;
}

static void suggest_point(struct walk *w, const struct point *p)
{
	struct arena *a = w->resolver->arena;
	const char *written = alias_name(a, p), *nearest, *words, *absent = absent_family(p->components.items[0].name);
	name_list names = { 0 };

	for (size_t i = 0; families[i]; i++)
		for (const struct point_shape *s = families[i]->shapes; s->text; s++)
			*vec_add(a, &names) = s->text;
	vec_each(n, &w->resolver->library->alias_names)
		*vec_add(a, &names) = n->name;
	vec_each(alias, &w->resolver->library->aliases)
		*vec_add(a, &names) = alias_name(a, (*alias)->names.items[0]);
	nearest = nearest_name(written, names.items, names.n);
	words = second_names(w, p);
	if (absent)
		diag_note(p->span, "%s", absent);
	else if (words)
		diag_note(p->span, "'%s' can be followed by: %s%s", p->components.items[0].name, words,
			  is_glob(p->components.items[1].name) ? "; a pattern without an argument stands for none of "
								 "those that take one" : "");
	else if (nearest)
		diag_note(p->span, "did you mean '%s'?", nearest);
}

static void complain(struct walk *w, const struct point *p, bool known)
{
	if (known)
		diag_error(p->span, "no place to probe for '%s'", point_text(w->resolver->arena, p));
	else
		diag_error(p->span, "unknown probe point '%s'", point_text(w->resolver->arena, p));
	vec_each(reason, &w->reasons)
		diag_note(p->span, "%s", *reason);
	if (!known)
		suggest_point(w, p);
}

/* Finds the sites of P without printing errors; adds the reasons if nothing is found. KNOWN: the name exists. */
static bool find_sites(struct walk *w, const struct point *p, bool *known)
{
	size_t conditions = w->conditions.n;
	bool found;

	if (p->condition)
		*vec_add(w->resolver->arena, &w->conditions) = p->condition;
	found = resolve_in_families(w, p, known);
	found |= resolve_in_aliases(w, p, known);
	w->conditions.n = conditions;
	return found;
}

/* Resolves a point of an alias. */
static bool resolve_point(struct walk *w, const struct point *p)
{
	struct arena *a = w->resolver->arena;
	bool known = false, found = find_sites(w, p, &known);

	if (!found && !p->optional && !p->sufficient)
		*vec_add(a, &w->reasons) = arena_printf(a, "alias '%s' uses '%s', which %s",
			point_text(a, p->derived_from), point_text(a, p),
			known ? "was not found" : "is unknown");
	return found;
}

void point_resolve(struct resolver *r, struct probe *probe, handler_list *out)
{
	struct walk w = { .resolver = r, .probe = probe, .handlers = out, .first_handler = out->n };

	vec_each(item, &probe->points) {
		const struct point *p = *item;
		bool known = false, found;

		w.reasons.n = 0;
		w.left_out = false;
		found = find_sites(&w, p, &known);
		if (w.left_out)
			diag_warn(p->span, "'%s' cannot be simulated and is left out", point_text(r->arena, p));
		if (!found && !p->optional && !p->sufficient)
			complain(&w, p, known);
		if (found && p->sufficient)
			break;
	}
}
