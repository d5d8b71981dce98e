/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C code in a script accesses a global through a function in the script language. For each pragma one is
 * generated here: get(k1, k2) { return x[k1, k2] }, set(k1, k2, value) { x[k1, k2] = value }. Types, locks
 * and storage are then handled as for any other function, and the C code does not depend on them. */
#include "resolve_embedded.h"

#include <string.h>

#include "source/diag.h"
#include "library/library.h"
#include "resolve_variable.h"
#include "resolver.h"
#include "source/options.h"
#include "base/util.h"

struct maker {
	struct arena *arena;
	struct library *library;
	struct program *program;
	struct span span;		/* of the current C code */
	function_list *accessors;	/* the functions that it may use */
};

/* ---- the functions ---- */

static struct expr *name_of(struct maker *m, struct variable *v)
{
	struct expr *e = expr_make(m->arena, EXPR_NAME, m->span);

	e->name.name = v->name;
	e->name.variable = v;
	return e;
}

static struct expr *add_parameter(struct maker *m, struct function *f, const char *name)
{
	struct variable *v = arena_new(m->arena, struct variable);

	*v = (struct variable){ .kind = VARIABLE_PARAMETER, .name = name, .span = m->span };
	*vec_add(m->arena, &f->parameters) = v;
	return name_of(m, v);
}

/* The global, or its element; the keys become parameters of F. */
static struct expr *make_place(struct maker *m, struct function *f, struct variable *v)
{
	struct expr *e;

	if (v->key_count <= 0)
		return name_of(m, v);
	e = expr_make(m->arena, EXPR_INDEX, m->span);
	e->index.array = name_of(m, v);
	for (int i = 0; i < v->key_count; i++)
		*vec_add(m->arena, &e->index.keys) = add_parameter(m, f, arena_printf(m->arena, "k%d", i + 1));
	return e;
}

static struct function *make_function(struct maker *m, const char *verb, struct variable *v, enum stmt_kind kind)
{
	struct function *f = arena_new(m->arena, struct function);

	*f = (struct function){ .name = arena_printf(m->arena, "%s_%s", verb, v->name), .span = m->span,
				.is_used = true, .is_accessor = true };
	f->body = stmt_make(m->arena, kind, m->span);
	*vec_add(m->arena, &m->program->functions) = f;
	return f;
}

static struct function *getter(struct maker *m, struct variable *v)
{
	if (!v->getter) {
		v->getter = make_function(m, "get", v, STMT_RETURN);
		v->getter->body->expr = make_place(m, v->getter, v);
		v->getter->has_return_value = true;
	}
	v->is_read = true;
	return v->getter;
}

static struct function *setter(struct maker *m, struct variable *v)
{
	if (!v->setter) {
		struct expr *e = expr_make(m->arena, EXPR_ASSIGN, m->span);

		v->setter = make_function(m, "set", v, STMT_EXPR);
		e->assign.left = make_place(m, v->setter, v);
		e->assign.right = add_parameter(m, v->setter, "value");
		v->setter->body->expr = e;
	}
	v->is_written = true;
	return v->setter;
}

/* ---- the pragmas ---- */

static void add_pragma(struct maker *m, const char *name, bool writes)
{
	struct variable *v = library_global(m->library, name, m->span.source);

	if (!v) {
		diag_error(m->span, "pragma:%s:%s: there is no global '%s'", writes ? "write" : "read", name, name);
		return;
	}
	program_use_global(m->program, m->arena, v);
	if (v->key_count < 0 && !resolve_key_count(v, m->span, 0))
		return;
	*vec_add(m->arena, m->accessors) = writes ? setter(m, v) : getter(m, v);
}

static void find_pragmas(struct maker *m, const char *code, size_t size, const char *pragma, bool writes)
{
	const char *end = code + size, *at = code;

	while ((at = memmem(at, (size_t)(end - at), pragma, strlen(pragma)))) {
		const char *name = at += strlen(pragma);

		while (at < end && is_identifier_char(*at))
			at++;
		add_pragma(m, arena_strndup(m->arena, name, (size_t)(at - name)), writes);
	}
}

static void find_all(struct maker *m, const char *code, size_t size)
{
	find_pragmas(m, code, size, "/* pragma:read:", false);
	find_pragmas(m, code, size, "/* pragma:write:", true);
}

/* C code of a tapset file can require guru mode. */
static void check_guru(const struct options *o, const struct function *f)
{
	if (!o->guru && embedded_says(f, "/* guru */"))
		diag_error(f->span, "'%s' needs guru mode: run with -g", f->name);
}

/* ---- parameters in expressions ---- */

/* Does the C have this name, as a whole word? */
static bool names(const struct expr *e, const char *name)
{
	const char *code = e->embedded.code, *end = code + e->embedded.size, *at = code;
	size_t n = strlen(name);

	for (; (at = memmem(at, (size_t)(end - at), name, n)); at += n)
		if ((at == code || !is_identifier_char(at[-1])) && (at + n == end || !is_identifier_char(at[n])))
			return true;
	return false;
}

void resolve_embedded_parameters(struct resolver *r, struct expr *e)
{
	if (!r->function)
		return;
	vec_each(p, &r->function->parameters) {
		struct expr *parameter;

		if (!names(e, arena_printf(r->arena, "STAP_ARG_%s", (*p)->name)))
			continue;
		parameter = expr_make(r->arena, EXPR_NAME, e->span);
		parameter->name.name = (*p)->name;
		r->expr(r, &parameter);
		*vec_add(r->arena, &e->embedded.parameters) = parameter;
	}
}

void resolve_embedded(const struct resolver *r)
{
	struct program *p = r->program;
	struct maker m = { .arena = r->arena, .library = r->library, .program = p };

	for (size_t i = 0; i < p->functions.n; i++) {
		struct function *f = p->functions.items[i];

		if (f->embedded)
			check_guru(r->options, f);
		if (!f->embedded || f->span.source->is_system)
			continue;
		m.span = f->embedded_span;
		m.accessors = &f->accessors;
		find_all(&m, f->embedded, f->embedded_size);
	}
	vec_each(e, &p->embedded_values) {
		m.span = (*e)->span;
		m.accessors = &(*e)->embedded.accessors;
		find_all(&m, (*e)->embedded.code, (*e)->embedded.size);
	}
}
