/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -p1, -p2 and -l print. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer.h"
#include "parse.h"
#include "translation.h"
#include "util.h"

void list_script(const struct script *s)
{
	struct text t;

	text_init(&t, s->source->translation->arena);
	print_script(&t, s);
	fputs(t.s, stdout);
}

/* ---- -l ---- */

static const char *site_text(struct arena *a, const struct site *s)
{
	struct text t;

	text_init(&t, a);
	for (const char *p = s->name; *p; p++) {
		if (*p == 1)
			text_add(&t, s->shown);
		else
			text_char(&t, *p);
	}
	return t.s;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool list_sites(const struct program *p)
{
	struct arena *a = arena_open();
	name_list names = { 0 };

	vec_each(h, &p->handlers)
		vec_each(s, &(*h)->sites)
			*vec_add(a, &names) = site_text(a, s);
	if (names.n)
		qsort(names.items, names.n, sizeof(*names.items), compare);
	for (size_t i = 0; i < names.n; i++)
		if (!i || !str_equal(names.items[i], names.items[i - 1]))
			puts(names.items[i]);
	arena_close(a);
	return names.n > 0;
}

/* ---- -p2 ---- */

static void list_global(struct text *out, const struct variable *v)
{
	text_printf(out, "global %s", v->name);
	if (v->key_count > 0) {
		text_char(out, '[');
		for (int i = 0; i < v->key_count; i++)
			text_printf(out, "%s%s", i ? ", " : "", type_name(v->key_types[i]));
		text_char(out, ']');
	}
	text_printf(out, ":%s\n", type_name(v->type));
}

static void list_locals(struct text *out, const variable_list *locals)
{
	vec_each(v, locals)
		text_printf(out, "  # local %s:%s\n", (*v)->name, type_name((*v)->type));
}

static void list_function(struct text *out, const struct function *f)
{
	text_printf(out, "function %s", f->name);
	if (f->type != TYPE_UNKNOWN)
		text_printf(out, ":%s", type_name(f->type));
	text_add(out, " (");
	vec_each(p, &f->parameters)
		text_printf(out, "%s%s:%s", p == f->parameters.items ? "" : ", ", (*p)->name,
			    type_name((*p)->type));
	text_add(out, ")\n");
	list_locals(out, &f->locals);
}

static void list_handler(struct text *out, const struct handler *h)
{
	vec_each(s, &h->sites)
		text_printf(out, "%s%s", s == h->sites.items ? "probe " : ",\n      ",
			    site_text(out->arena, s));
	vec_each(c, &h->conditions) {
		text_add(out, " if ");
		print_expr(out, *c);
	}
	text_char(out, '\n');
	list_locals(out, &h->locals);
	print_stmt(out, h->body, 0);
	text_char(out, '\n');
}

void list_program(const struct program *p)
{
	struct arena *a = arena_open();
	struct text t;

	text_init(&t, a);
	vec_each(v, &p->globals)
		list_global(&t, *v);
	vec_each(f, &p->functions)
		list_function(&t, *f);
	vec_each(h, &p->handlers)
		list_handler(&t, *h);
	fputs(t.s, stdout);
	arena_close(a);
}
