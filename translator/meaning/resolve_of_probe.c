/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function may use $x, $$vars, @defined($x) and @entry($x), whose meaning depends on the calling probe. Each
 * handler that calls such a function has its own copy, which is resolved with the handler's sites. The
 * functions of the shipped library do not use them. */
#include "resolve_of_probe.h"

#include "library/library.h"

struct search {
	struct library *library;
	struct arena *arena;
	function_list seen;
	bool found;
};

static void search_function(struct search *s, struct function *f);

static void search_expr(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	if (!e || s->found)
		return;
	if ((e->kind == EXPR_TARGET && e->target.what == TARGET_VARIABLE) || e->kind == EXPR_ENTRY)
		s->found = true;
	if (e->kind == EXPR_CALL) {
		function_list *all = library_functions(s->library, e->call.name, e->span.source);

		for (size_t i = 0; all && i < all->n; i++)
			search_function(s, all->items[i]);
	}
	expr_each(e, search_expr, s);
}

static void search_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, search_expr, search_stmt, data);
}

static void search_function(struct search *s, struct function *f)
{
	if (!f->body || f->span.source->is_system)
		return;
	vec_each(known, &s->seen)
		if (*known == f)
			return;
	*vec_add(s->arena, &s->seen) = f;
	search_stmt(&f->body, s);
}

bool function_is_of_probe(struct library *lib, struct arena *a, struct function *f)
{
	struct search s = { .library = lib, .arena = a };

	if (!f->asked_of_probe) {
		f->asked_of_probe = true;
		search_function(&s, f);
		f->is_of_probe = s.found;
	}
	return f->is_of_probe;
}

static struct variable *parameter_copy(struct arena *a, const struct variable *v)
{
	struct variable *copy = arena_new(a, struct variable);

	*copy = *v;
	return copy;
}

struct function *resolve_own_copy(struct resolver *r, struct function *f)
{
	struct function *copy;

	vec_each(own, &r->handler->functions)
		if ((*own)->original == f && (*own)->at_entry == r->at_entry)
			return *own;
	f->is_used = true;
	copy = arena_new(r->arena, struct function);
	*copy = *f;
	copy->is_used = false;
	copy->original = f;
	copy->handler = r->handler;
	copy->at_entry = r->at_entry;
	copy->body = stmt_copy(r->arena, f->body);
	copy->parameters = (variable_list){ 0 };
	vec_each(p, &f->parameters)
		*vec_add(r->arena, &copy->parameters) = parameter_copy(r->arena, *p);
	*vec_add(r->arena, &r->handler->functions) = copy;
	return copy;
}
