/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables of the script: what a name refers to, whether it is used as it was declared, whether it is read or
 * written, and the types that it points to. */
#include "resolve_variable.h"

#include "source/diag.h"
#include "library/library.h"
#include "pointee.h"
#include "base/util.h"

void program_use_global(struct program *p, struct arena *a, struct variable *v)
{
	if (v->is_used)
		return;
	v->is_used = true;
	*vec_add(a, &p->globals) = v;
}

static struct variable *add_local(struct resolver *r, const char *name, struct span span)
{
	struct variable *v = arena_new(r->arena, struct variable);

	*v = (struct variable){ .kind = VARIABLE_LOCAL, .name = name, .span = span };
	*vec_add(r->arena, r->locals) = v;
	map_set(&r->names, name, v);
	return v;
}

/* A global of a script does not change the meaning of a name in a shipped function. */
static bool is_visible(const struct resolver *r, const struct variable *v, struct span use)
{
	return !r->function || !source_root(use.source)->is_system || v->span.source->is_system;
}

static struct variable *lookup(struct resolver *r, const char *name, struct span span)
{
	struct variable *v = map_get(&r->names, name);

	if (v)
		return v;
	v = library_global(r->library, name, span.source);
	if (v && is_visible(r, v, span)) {
		program_use_global(r->program, r->arena, v);
		return v;
	}
	if (r->globals_only) {
		diag_error(span, "a probe's condition can read only globals, and '%s' is not a global", name);
		return NULL;
	}
	return add_local(r, name, span);
}

struct variable *resolve_bind(struct resolver *r, struct expr *e)
{
	if (!e->name.variable)
		e->name.variable = lookup(r, e->name.name, e->span);
	if (!e->name.variable)
		e->type = TYPE_ERROR;
	return e->name.variable;
}

/* A global declared with a size, or with '%', is an array, even before its first use. */
static bool is_declared_otherwise(const struct variable *v, struct span at)
{
	if (!v->size && !v->wrap)
		return false;
	diag_error(at, "'%s' is declared as an array; index it", v->name);
	diag_note(v->span, "%s", v->size ? "its declaration has a size" : "its declaration has '%': the oldest element "
		  "makes room");
	return true;
}

bool resolve_key_count(struct variable *v, struct span at, int count)
{
	if (v->kind != VARIABLE_GLOBAL && count > 0) {
		diag_error(at, "'%s' is used as an array, and arrays must be global: declare 'global %s'",
			   v->name, v->name);
		return false;
	}
	if (v->key_count < 0) {
		if (!count && is_declared_otherwise(v, at))
			return false;
		v->key_count = count;
		v->type_span = at;
		return true;
	}
	if (v->key_count == count)
		return true;
	if (!count)
		diag_error(at, "'%s' is an array of %d key%s; index it", v->name, v->key_count,
			   v->key_count == 1 ? "" : "s");
	else if (!v->key_count)
		diag_error(at, "'%s' is not an array", v->name);
	else
		diag_error(at, "'%s' has %d key%s, not %d", v->name, v->key_count,
			   v->key_count == 1 ? "" : "s", count);
	diag_note(v->type_span.source ? v->type_span : v->span, "as used here");
	return false;
}

void resolve_scalar(struct resolver *r, struct expr *e)
{
	struct variable *v = resolve_bind(r, e);

	if (v && !resolve_key_count(v, e->span, 0))
		e->type = TYPE_ERROR;
}

static void suggest_array(struct resolver *r, const char *name, struct span at)
{
	name_list names = { 0 };
	const char *near;

	library_user_globals(r->library, &names);
	near = nearest_name(name, names.items, names.n);
	if (near)
		diag_note(at, "did you mean the global '%s'?", near);
}

void resolve_array(struct resolver *r, struct expr *array, int count, struct span at)
{
	struct variable *v;

	if (array->kind != EXPR_NAME) {
		diag_error(array->span, "expected the name of an array");
		array->type = TYPE_ERROR;
		return;
	}
	if (count > (int)ARRAY_SIZE(v->key_types)) {
		diag_error(at, "an array has at most %zu keys, not %d", ARRAY_SIZE(v->key_types), count);
		array->type = TYPE_ERROR;
		return;
	}
	v = resolve_bind(r, array);
	if (v && !resolve_key_count(v, at, count)) {
		array->type = TYPE_ERROR;
		if (v->kind != VARIABLE_GLOBAL)
			suggest_array(r, v->name, at);
	}
}

void resolve_list(struct resolver *r, expr_list *list)
{
	vec_each(e, list)
		if (*e)
			r->expr(r, e);
}

void resolve_mark_read(struct expr *e)
{
	struct variable *v = expr_variable(e);

	if (v)
		v->is_read = true;
}

void resolve_mark_written(struct resolver *r, struct expr *e)
{
	struct variable *v = expr_variable(e);

	if (!v)
		return;
	v->is_written = true;
	if (r->globals_only)
		diag_error(e->span, "a probe's condition must not change '%s'", v->name);
}

void resolve_index(struct resolver *r, struct expr *e)
{
	resolve_array(r, e->index.array, (int)e->index.keys.n, e->span);
	resolve_list(r, &e->index.keys);
	vec_each(key, &e->index.keys)
		if (!*key) {
			diag_error(e->span, "'*' as a key is allowed only with 'in', 'delete' and 'foreach'");
			e->type = TYPE_ERROR;
			break;
		}
	if (e->index.array->type == TYPE_ERROR)
		e->type = TYPE_ERROR;
}

/* ---- assignments ---- */

struct assignment {
	const char *name;
	bool elements, found;
};

static void find_assignment(struct expr **ep, void *data)
{
	struct assignment *a = data;
	const struct expr *left;

	if (!*ep || a->found)
		return;
	left = expr_assigned(*ep);
	if (a->elements && left && left->kind == EXPR_INDEX)
		left = left->index.array;
	a->found = left && left->kind == EXPR_NAME && str_equal(left->name.name, a->name);
	expr_each(*ep, find_assignment, a);
}

static void find_assignments(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, find_assignment, find_assignments, data);
}

bool resolve_assigns(struct stmt **sp, const char *name, bool elements)
{
	struct assignment a = { name, elements, false };

	find_assignments(sp, &a);
	return a.found;
}

/* ---- pointers ---- */

bool resolve_is_pointer(const struct expr *e)
{
	return e->pointee && e->pointee != &pointee_conflict;
}

void resolve_learn_pointee(struct resolver *r, struct expr *left, const struct expr *right)
{
	struct variable *v = expr_variable(left);

	if (v)
		pointee_learn(r->arena, &v->pointee, right->pointee);
}

void resolve_recall_pointee(struct expr *e)
{
	const struct variable *v = expr_variable(e);

	if (v)
		e->pointee = v->pointee;
}
