/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits handlers by sites. The access to $x may differ from site to site. Before a handler whose body uses
 * target variables is resolved, it is split, so that all sites of a handler access them in the same way. */
#include "resolve_split.h"

#include <string.h>

#include "library/library.h"
#include "base/map.h"
#include "resolve_of_probe.h"
#include "target/target.h"
#include "base/text.h"
#include "points/family.h"
#include "resolver.h"
#include "base/util.h"

#include "tap_script.h"

struct search {
	struct arena *arena;
	struct library *library;
	function_list seen;
	expr_list found;
	bool any;			/* also finds types and globals, which are looked up in the site's image */
};

static void find_stmt(struct stmt **sp, void *data);

static void find_in_function(struct search *s, struct function *f)
{
	if (!function_is_of_probe(s->library, s->arena, f))
		return;
	vec_each(known, &s->seen)
		if (*known == f)
			return;
	*vec_add(s->arena, &s->seen) = f;
	find_stmt(&f->body, s);
}

static void find_in_called(struct search *s, const struct expr *e)
{
	function_list *all = library_functions(s->library, e->call.name, e->span.source);

	for (size_t i = 0; all && i < all->n; i++)
		find_in_function(s, all->items[i]);
}

static void find_expr(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	if (e->kind == EXPR_TARGET && (s->any || e->target.what == TARGET_VARIABLE))
		*vec_add(s->arena, &s->found) = e;
	if (e->kind == EXPR_CALL)
		find_in_called(s, e);
	s->any |= e->kind == EXPR_TYPE_OP;
	expr_each(e, find_expr, s);
}

static void find_stmt(struct stmt **sp, void *data)
{
	stmt_each(*sp, find_expr, find_stmt, data);
}

static bool same_images(const struct handler *h)
{
	const struct site *first = &h->sites.items[0];

	vec_each(s, &h->sites) {
		const struct debuginfo *a = s->place ? s->place->image : NULL;
		const struct debuginfo *b = first->place ? first->place->image : NULL;

		if (a != b)
			return false;
	}
	return true;
}

static const char *kind_of_site(const struct resolver *r, struct handler *h, const struct site *s,
				const expr_list *variables)
{
	bool at_return = s->flags & TAP_PROBE_RETURN;
	struct text text;

	text_init(&text, r->arena);
	text_printf(&text, "%s %d %d", s->family->name, at_return, s->in_user);
	vec_each(e, variables) {
		struct target_scope at = { .images = r->images, .options = r->options, .handler = h, .site = s,
					   .entry = at_return };

		at.entry &= !target_is_result(&at, *e);
		text_printf(&text, " [%s]", target_signature(&at, *e));
	}
	return text.s;
}

static struct handler *like(struct arena *a, const struct handler *h)
{
	struct handler *copy = arena_new(a, struct handler);

	*copy = *h;
	copy->body = stmt_copy(a, h->body);
	memset(&copy->sites, 0, sizeof(copy->sites));
	return copy;
}

void target_split(const struct resolver *r, struct handler *h, handler_list *out)
{
	struct search search = { .arena = r->arena, .library = r->library, .any = !same_images(h) };
	struct map kinds;

	if (h->sites.n >= 2)
		find_stmt(&h->body, &search);
	if (!search.found.n) {
		*vec_add(r->arena, out) = h;
		return;
	}
	map_init(&kinds, r->arena);
	vec_each(s, &h->sites) {
		const char *kind = kind_of_site(r, h, s, &search.found);
		struct handler *same = map_get(&kinds, kind);

		if (!same) {
			same = like(r->arena, h);
			map_set(&kinds, kind, same);
			*vec_add(r->arena, out) = same;
		}
		*vec_add(r->arena, &same->sites) = *s;
	}
}
