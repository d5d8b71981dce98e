/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of -p1, -p2 and -l. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points/family.h"
#include "meaning/infer.h"
#include "library/library.h"
#include "source/options.h"
#include "tools/indirect.h"
#include "base/util.h"
#include "syntax/print.h"

void list_script(struct arena *a, const struct script *s)
{
	struct text t;

	text_init(&t, a);
	print_script(&t, s);
	fputs(t.s, stdout);
}

/* ---- -l ---- */

/* The text that a script can use to probe the site: the alias that led to it, if there was one, or the place. */
static const char *written_text(struct arena *a, const struct site *s)
{
	const char *alias = s->point->alias;

	return alias && !is_glob(alias) ? alias : site_text(a, s);
}

struct listed {
	const char *text;
	const struct site *site;
	const struct handler *handler;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->text, ((const struct listed *)b)->text);
}

/* "struct file*": without spaces, because spaces separate the variables. */
static const char *short_type(struct arena *a, const struct debug_type *t)
{
	char *text = t ? arena_strdup(a, debug_type_text(a, t)) : "unknown", *to = text;

	for (const char *from = text; t && *from; from++)
		if (*from != ' ' || !strchr("*[(", from[1]))
			*to++ = *from;
	if (t)
		*to = '\0';
	return text;
}

/* Thousands of functions have the same few types; their texts are cached by image and number. */
struct type_texts {
	struct arena *arena;
	struct { const struct debug_type *type; const char *text; } slots[4096];
};

static const char *type_text(struct type_texts *c, const struct debug_type *t)
{
	size_t i = t ? (t->id * 0x9e3779b97f4a7c15ull) >> 52 : 0;
	const struct debug_type *last = c->slots[i].type;

	if (t && last && t->id && last->id == t->id && last->image == t->image &&
	    last->reader == t->reader && last->is_const == t->is_const && last->is_volatile == t->is_volatile)
		return c->slots[i].text;
	c->slots[i].type = t;
	return c->slots[i].text = short_type(c->arena, t);
}

/* The variables that the aliases leading to HANDLER set, except their private ones. */
static void print_alias_variables(const struct handler *h)
{
	vec_each(v, &h->locals)
		if ((*v)->is_written && (*v)->name[0] != '_')
			printf(" %s:%s", (*v)->name, type_name((*v)->type));
}

void list_variables(const struct site *s, struct sites *quiet, site_variables *own, debug_variables *all)
{
	if (s->family->variables)
		s->family->variables(s, VARIABLES_PARAMETERS | VARIABLES_LOCALS, own, quiet);
	if (!own->n && s->place)
		debuginfo_signature(s->place, all);
}

static void print_variables(struct type_texts *c, const struct site *s, struct sites *quiet)
{
	debug_variables all = { 0 };
	site_variables own = { 0 };

	list_variables(s, quiet, &own, &all);
	vec_each(v, &own)
		printf(" %s%s:%s", s->family->offers && s->family->offers(s, v->debug.name, c->arena) ? "" : "$",
		       v->debug.name, v->get ? type_name(v->type) : type_text(c, v->debug.type));
	vec_each(v, &all)
		printf(" $%s:%s", v->name, type_text(c, v->type));
}

/* Probes in a tapset file are resolved too if the file is used, but were not asked for. */
static bool is_asked_for(const struct handler *h)
{
	return !h->probe->span.source->is_library;
}

static void print_indirect(struct target_host *host, struct arena *a, const struct site *s)
{
	const char *why = s->family->indirect ? indirect_site(host, a, s) : NULL;

	if (why)
		printf("\tno direct calls: %s\n", why);
}

bool list_sites(struct images *images, struct target_host *host, const struct options *o, const struct program *p,
		bool variables)
{
	struct arena *a = arena_open();
	struct sites quiet = { .images = images, .options = o, .arena = a };
	struct type_texts texts = { .arena = a };
	VEC(struct listed) list = { 0 };

	vec_each(h, &p->handlers)
		for (struct site *s = (*h)->sites.items; is_asked_for(*h) && s < (*h)->sites.items + (*h)->sites.n; s++)
			*vec_add(a, &list) = (struct listed){ written_text(a, s), s, *h };
	if (list.n)
		qsort(list.items, list.n, sizeof(*list.items), compare);
	for (size_t i = 0; i < list.n; i++) {
		if (i && str_equal(list.items[i].text, list.items[i - 1].text))
			continue;
		fputs(list.items[i].text, stdout);
		if (variables) {
			print_alias_variables(list.items[i].handler);
			print_variables(&texts, list.items[i].site, &quiet);
		}
		putchar('\n');
		if (variables && options_direct(o))
			print_indirect(host, a, list.items[i].site);
	}
	arena_close(a);
	return list.n > 0;
}

/* ---- families, aliases, functions ---- */

static void print_sorted(name_list *lines)
{
	if (lines->n)
		names_sort(lines->items, lines->n);
	for (size_t i = 0; i < lines->n; i++)
		if (!i || !str_equal(lines->items[i], lines->items[i - 1]))
			puts(lines->items[i]);
}

void list_probe_types(void)
{
	struct arena *a = arena_open();
	name_list lines = { 0 };

	for (size_t i = 0; families[i]; i++)
		for (const struct point_shape *s = families[i]->shapes; s->text; s++)
			*vec_add(a, &lines) = s->text;
	print_sorted(&lines);
	arena_close(a);
}

static void add_points(struct text *out, const point_list *points, const char *between)
{
	vec_each(p, points)
		text_printf(out, "%s%s", p == points->items ? "" : between, point_text(out->arena, *p));
}

void list_aliases(struct library *lib)
{
	struct arena *a = arena_open();
	name_list lines = { 0 };

	library_read_all(lib);
	vec_each(alias, &lib->aliases) {
		struct text t;

		text_init(&t, a);
		add_points(&t, &(*alias)->names, ", ");
		text_add(&t, " = ");
		add_points(&t, &(*alias)->points, ", ");
		*vec_add(a, &lines) = t.s;
	}
	print_sorted(&lines);
	arena_close(a);
}

const char *list_function_line(struct arena *a, const struct function *f)
{
	struct text t;

	text_init(&t, a);
	text_add(&t, f->name);
	if (f->type_declared)
		text_printf(&t, ":%s", type_name(f->type));
	text_add(&t, " (");
	vec_each(p, &f->parameters) {
		text_printf(&t, "%s%s", p == f->parameters.items ? "" : ", ", (*p)->name);
		if ((*p)->type != TYPE_UNKNOWN)
			text_printf(&t, ":%s", type_name((*p)->type));
	}
	text_char(&t, ')');
	return t.s;
}

void list_functions(struct library *lib)
{
	struct arena *a = arena_open();
	name_list lines = { 0 };

	library_read_all(lib);
	vec_each(s, &lib->scripts)
		vec_each(f, &(*s)->functions)
			if (!(*f)->is_private)
				*vec_add(a, &lines) = list_function_line(a, *f);
	print_sorted(&lines);
	arena_close(a);
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
