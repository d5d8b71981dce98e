/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names without a '$' that a family offers, such as "filename" of syscall.open. An alias would set them for
 * every probe. Here they are computed only in bodies that use them, and as late as possible: "filename" is
 * replaced by "$filename" in place, so that a condition before it can save the work. If the body writes a
 * name, or uses a string several times, "filename = $filename" is added at the start of the body.
 *
 * If the sites of a probe offer different names, each kind of site gets its own handler, in which the names
 * that only other sites offer are empty. A name that is a global of the script keeps that meaning. */
#include "offered_names.h"

#include <string.h>

#include "library/library.h"
#include "base/map.h"
#include "base/text.h"
#include "points/family.h"
#include "resolver.h"
#include "base/util.h"

struct use {
	const char *name;
	struct span span;		/* of its first mention */
	enum type type;			/* type of the value that some site offers; TYPE_UNKNOWN: no site offers it */
	unsigned mentions;
	bool is_written;
};

struct search {
	const struct resolver *resolver;
	const struct handler *handler;
	struct map seen;		/* name -> struct use */
	VEC(struct use *) uses;		/* of offered names */
	const char *kind;		/* of the body being rewritten: one byte for each element of uses */
};

/* ---- names in the body ---- */

static bool site_offers(const struct site *s, const char *name, struct arena *a)
{
	return s->family->offers && s->family->offers(s, name, a);
}

static enum type offered_type(struct search *s, const struct expr *e)
{
	const struct resolver *r = s->resolver;
	struct sites quiet = { .images = r->images, .options = r->options, .arena = r->arena };
	struct site_variable v;

	vec_each(site, &s->handler->sites)
		if (site_offers(site, e->name.name, r->arena) &&
		    site->family->variable(site, e->name.name, &v, &quiet))
			return library_global(r->library, e->name.name, e->span.source) ? TYPE_UNKNOWN : v.type;
	return TYPE_UNKNOWN;
}

static struct use *use_of(struct search *s, const struct expr *e)
{
	struct arena *a = s->resolver->arena;
	struct use *use = map_get(&s->seen, e->name.name);

	if (use)
		return use;
	use = arena_new(a, struct use);
	*use = (struct use){ e->name.name, e->span, offered_type(s, e), 0, false };
	map_set(&s->seen, e->name.name, use);
	if (use->type != TYPE_UNKNOWN)
		*vec_add(a, &s->uses) = use;
	return use;
}

static void note_written(struct search *s, const struct expr *e)
{
	if (e && e->kind == EXPR_NAME)
		use_of(s, e)->is_written = true;
}

static void find_expr(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	if (e->kind == EXPR_ASSIGN)
		note_written(s, e->assign.left);
	if (e->kind == EXPR_STEP)
		note_written(s, e->step.operand);
	if (e->kind == EXPR_PROBEWRITE)
		note_written(s, e->operand.operand);
	if (e->kind == EXPR_NAME)
		use_of(s, e)->mentions++;
	expr_each(e, find_expr, s);
}

static void find_stmt(struct stmt **sp, void *data)
{
	struct search *s = data;
	struct stmt *stmt = *sp;

	if (stmt->kind == STMT_FOREACH) {
		vec_each(key, &stmt->foreach.keys)
			note_written(s, *key);
		note_written(s, stmt->foreach.value);
	}
	if (stmt->kind == STMT_TRY)
		note_written(s, stmt->try_.message);
	if (stmt->kind == STMT_DELETE)
		note_written(s, stmt->expr);
	stmt_each(stmt, find_expr, find_stmt, data);
}

/* ---- a body for one kind of site ---- */

static bool is_set_first(const struct use *use)
{
	return use->is_written || (use->type == TYPE_STRING && use->mentions > 1);
}

static struct expr *value_of(struct arena *a, const struct use *use, struct span at, bool is_offered)
{
	struct expr *e = expr_make(a, is_offered ? EXPR_TARGET : use->type == TYPE_STRING ? EXPR_STRING :
				   EXPR_NUMBER, at);

	if (is_offered) {
		e->target.what = TARGET_VARIABLE;
		e->target.name = arena_printf(a, "$%s", use->name);
	} else if (use->type == TYPE_STRING) {
		e->string.text = "";
	}
	return e;
}

static struct stmt *set(struct arena *a, const struct use *use, bool is_offered)
{
	struct stmt *s = stmt_make(a, STMT_EXPR, use->span);

	s->expr = expr_make(a, EXPR_ASSIGN, use->span);
	s->expr->assign.left = expr_make(a, EXPR_NAME, use->span);
	s->expr->assign.left->name.name = use->name;
	s->expr->assign.right = value_of(a, use, use->span, is_offered);
	return s;
}

static void replace_expr(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	expr_each(e, replace_expr, s);
	if (e->kind != EXPR_NAME)
		return;
	for (size_t i = 0; i < s->uses.n; i++)
		if (str_equal(s->uses.items[i]->name, e->name.name) && !is_set_first(s->uses.items[i]))
			*ep = value_of(s->resolver->arena, s->uses.items[i], e->span, s->kind[i] == '1');
}

static void replace_stmt(struct stmt **sp, void *data)
{
	stmt_each(*sp, replace_expr, replace_stmt, data);
}

static const char *kind_of_site(struct search *s, const struct site *site)
{
	struct text text;

	text_init(&text, s->resolver->arena);
	vec_each(use, &s->uses)
		text_char(&text, site_offers(site, (*use)->name, s->resolver->arena) ? '1' : '0');
	return text.s;
}

/* Makes a handler for sites of KIND, without sites. */
static struct handler *handler_of(struct search *s, const char *kind)
{
	struct arena *a = s->resolver->arena;
	struct handler *h = arena_new(a, struct handler);
	struct stmt *block = stmt_make(a, STMT_BLOCK, s->handler->probe->span);
	struct stmt *body = stmt_copy(a, s->handler->body);

	*h = *s->handler;
	memset(&h->sites, 0, sizeof(h->sites));
	s->kind = kind;
	replace_stmt(&body, s);
	for (size_t i = 0; i < s->uses.n; i++)
		if (is_set_first(s->uses.items[i]))
			*vec_add(a, &block->block) = set(a, s->uses.items[i], kind[i] == '1');
	*vec_add(a, &block->block) = body;
	h->body = block;
	return h;
}

static bool any_offers(const struct handler *h)
{
	vec_each(s, &h->sites)
		if (s->family->offers)
			return true;
	return false;
}

void offered_names_set(const struct resolver *r, struct handler *h, handler_list *out)
{
	struct search s = { .resolver = r, .handler = h };
	struct map kinds;

	map_init(&s.seen, r->arena);
	if (any_offers(h))
		find_stmt(&h->body, &s);
	if (!s.uses.n) {
		*vec_add(r->arena, out) = h;
		return;
	}
	map_init(&kinds, r->arena);
	vec_each(site, &h->sites) {
		const char *kind = kind_of_site(&s, site);
		struct handler *same = map_get(&kinds, kind);

		if (!same) {
			same = handler_of(&s, kind);
			map_set(&kinds, kind, same);
			*vec_add(r->arena, out) = same;
		}
		*vec_add(r->arena, &same->sites) = *site;
	}
}
