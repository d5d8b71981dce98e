/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.function("p"), module("m").function("p") and kprobe.function("p"), with .call and .return.
 * Functions come from the target's symbol tables. A place is kept as the distance from an anchor
 * that the module loader resolves, with the build-id of the image that it was read from.
 *
 * A wildcard leaves out what cannot be probed and counts it; a name that was written out and cannot
 * be probed is an error with the reason. */
#include "family.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "translation.h"
#include "util.h"

#include "tap_script.h"

enum { KIND_RETURN = 1, KIND_MODULE = 2, KIND_MAXACTIVE = 4 };

static const struct point_shape shapes[] = {
	{ "kernel.function(string)", "entry of the kernel's functions", 0 },
	{ "kernel.function(string).call", "entry of the kernel's functions", 0 },
	{ "kernel.function(string).return", "return from the kernel's functions", KIND_RETURN },
	{ "kernel.function(string).return.maxactive(number)", "return, with so many calls at once",
	  KIND_RETURN | KIND_MAXACTIVE },
	{ "module(string).function(string)", "entry of a module's functions", KIND_MODULE },
	{ "module(string).function(string).call", "entry of a module's functions", KIND_MODULE },
	{ "module(string).function(string).return", "return from a module's functions",
	  KIND_MODULE | KIND_RETURN },
	{ "module(string).function(string).return.maxactive(number)", "return, with so many calls at once",
	  KIND_MODULE | KIND_RETURN | KIND_MAXACTIVE },
	{ "kprobe.function(string)", "entry of the kernel's functions", 0 },
	{ "kprobe.function(string).call", "entry of the kernel's functions", 0 },
	{ "kprobe.function(string).return", "return from the kernel's functions", KIND_RETURN },
	{ "kprobe.module(string).function(string)", "entry of a module's functions", KIND_MODULE },
	{ "kprobe.module(string).function(string).return", "return from a module's functions",
	  KIND_MODULE | KIND_RETURN },
	{ NULL, NULL, 0 },
};

const struct probe_family kernel_family;

/* One point being resolved in one image. */
struct search {
	const struct point *point;
	const struct point_shape *shape;
	struct sites *sites;
	const char *pattern;		/* of the function's name */
	struct debuginfo *image;
	struct debuginfo_facts facts;
	bool wild;
};

/* ---- names ---- */

/* The point as pp() shows it: the function's name is a byte 1. */
static const char *site_name(struct arena *a, const struct point *point, const char *module)
{
	struct text t;

	text_init(&t, a);
	vec_each(c, &point->components) {
		if (t.n)
			text_char(&t, '.');
		text_add(&t, c->name);
		if (str_equal(c->name, "function"))
			text_add(&t, "(\"\1\")");
		else if (str_equal(c->name, "module"))
			text_printf(&t, "(\"%s\")", module);
		else if (c->has_argument)
			text_printf(&t, "(%lld)", (long long)c->number);
	}
	return t.s;
}

static const char *name_in_argument(struct sites *sites, const struct point_component *c)
{
	if (strlen(c->text) != c->text_size || !c->text_size) {
		sites_reason(sites, "a function's name is wanted");
		return NULL;
	}
	if (strchr(c->text, '@') || strchr(c->text, ':')) {
		sites_reason(sites, "'%s' names a source file or line, and that needs debug information, "
			     "which is not supported yet", c->text);
		return NULL;
	}
	return c->text;
}

/* ---- sites ---- */

static const char *obstacle(const struct symbol *s)
{
	if (s->clone == CLONE_PART || s->clone == CLONE_COLD)
		return "is a part of a function that the compiler moved out, and no entry";
	return symbol_obstacle_text(s->obstacle);
}

static void add_site(struct search *s, const struct symbol *symbol)
{
	struct arena *a = s->sites->arena;
	struct site *site = site_add(s->sites, &kernel_family, s->point, s->shape);

	site->module = symbol->module;
	site->symbol = symbol->name;
	site->offset = symbol->offset;
	/* The runtime knows where a module's .text is, and no other section. */
	site->resolved = s->facts.build_id_size &&
			 (symbol->module ? str_equal(symbol->section, ".text") : s->facts.notes_size > 0);
	site->name = site_name(a, s->point, symbol->module);
	site->flags = (s->shape->what & KIND_RETURN ? TAP_PROBE_RETURN : 0) |
		      (s->wild ? TAP_PROBE_SITES : 0);
	if (s->shape->what & KIND_MAXACTIVE)
		site->value[0] = point_component(s->point, "maxactive")->number;
}

/* Does the wildcard mean this one at all? Clones go with their plain name only when that is asked for
 * with a pattern that fits them; what cannot be entered is left out. */
static bool is_wanted(struct search *s, const struct symbol *symbol)
{
	const char *why = obstacle(symbol);

	if (why && s->wild) {
		s->sites->skipped++;
		return false;
	}
	if (why) {
		sites_reason(s->sites, "'%s' %s", symbol->name, why);
		return false;
	}
	if (s->wild && s->facts.ftrace_sites && !(symbol->flags & SYMBOL_FTRACE)) {
		s->sites->skipped++;	/* notrace: mostly what the tracing itself runs on */
		return false;
	}
	return true;
}

static bool add_functions(struct search *s)
{
	struct symbols found = { 0 };
	size_t before = s->sites->list.n;
	const char *near;

	if (debuginfo_functions(s->image, s->pattern, &found) != DEBUGINFO_FOUND) {
		sites_reason(s->sites, "%s", debuginfo_reason(s->image));
		near = s->wild ? NULL : debuginfo_suggest(s->image, s->pattern);
		if (near)
			sites_reason(s->sites, "did you mean '%s'?", near);
		return false;
	}
	for (size_t i = 0; i < found.list.n; i++)
		if (is_wanted(s, &found.list.items[i]))
			add_site(s, &found.list.items[i]);
	if (s->sites->list.n == before && s->sites->skipped)
		sites_reason(s->sites, "none of the %zu functions that '%s' fits can be probed",
			     found.list.n, s->pattern);
	return s->sites->list.n > before;
}

static bool search_image(struct search *s, struct debuginfo *image)
{
	s->image = image;
	s->facts = (struct debuginfo_facts){ 0 };
	debuginfo_facts(image, &s->facts);
	return add_functions(s);
}

static bool search_modules(struct search *s, const struct point_component *module)
{
	struct debuginfo *kernel = sites_kernel(s->sites);
	struct module_names names = { 0 };
	bool found = false;

	if (debuginfo_modules(kernel, module->text, &names) != DEBUGINFO_FOUND) {
		sites_reason(s->sites, "%s", debuginfo_reason(kernel));
		return false;
	}
	s->wild |= is_glob(module->text);
	for (size_t i = 0; i < names.list.n; i++) {
		struct debuginfo *image = debuginfo_module(kernel, names.list.items[i]);

		if (!image)
			sites_reason(s->sites, "%s", debuginfo_reason(kernel));
		else
			found |= search_image(s, image);
	}
	return found;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const char *pattern = name_in_argument(sites, point_component(point, "function"));
	struct search s = { .point = point, .shape = shape, .sites = sites, .pattern = pattern };
	struct debuginfo *kernel;

	if (!pattern)
		return false;
	if (shape->what & KIND_MAXACTIVE && point_component(point, "maxactive")->number < 1) {
		sites_reason(sites, "maxactive is at least 1");
		return false;
	}
	kernel = sites_kernel(sites);
	if (!kernel)
		return false;
	s.wild = is_glob(pattern);
	if (shape->what & KIND_MODULE)
		return search_modules(&s, point_component(point, "module"));
	return search_image(&s, kernel);
}

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && str_equal(a, b));
}

static bool groups(const struct site *site, const struct site *other)
{
	return same_text(site->module, other->module) && site->value[0] == other->value[0] &&
	       site->resolved == other->resolved && str_equal(site->name, other->name);
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return strcmp(x->symbol, y->symbol);
}

/* Several names may have one address: a place is probed once, under the first of them. */
static size_t sort_unique(const struct site **sorted, const struct site *const *sites, size_t n)
{
	size_t kept = 0;

	memcpy(sorted, sites, n * sizeof(*sites));
	qsort(sorted, n, sizeof(*sorted), compare_sites);
	for (size_t i = 0; i < n; i++)
		if (!kept || !sorted[i]->resolved || sorted[i]->offset != sorted[kept - 1]->offset ||
		    sorted[i]->into != sorted[kept - 1]->into)
			sorted[kept++] = sorted[i];
	return kept;
}

static void write_build_id(struct text *out, const struct debuginfo_facts *facts)
{
	text_add(out, "(const u8[]){ ");
	for (uint32_t i = 0; i < facts->build_id_size; i++)
		text_printf(out, "%u, ", facts->build_id[i]);
	text_add(out, "}");
}

static struct debuginfo *image_of(const struct site *s)
{
	struct debuginfo *kernel = s->point->span.source->translation->kernel;

	return s->module ? debuginfo_module(kernel, s->module) : kernel;
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct site **sorted = arena_array(where->arena, const struct site *, n);
	struct debuginfo_facts facts = { 0 };

	n = sort_unique(sorted, sites, n);
	text_printf(declarations, "static const struct tap_site sites_%u[] = {\n", number);
	for (size_t i = 0; i < n; i++)
		text_printf(declarations, "\t{ \"%s\", %lldll, %u },\n", sorted[i]->symbol,
			    sorted[i]->resolved ? (long long)sorted[i]->offset : 0ll, sorted[i]->into);
	text_add(declarations, "};\n");
	debuginfo_facts(image_of(sites[0]), &facts);
	text_add(where, "&(const struct tap_functions){ ");
	if (sites[0]->module)
		text_printf(where, ".module = \"%s\", ", sites[0]->module);
	text_printf(where, ".sites = sites_%u, .count = %zu, .maxactive = %lld", number, n,
		    (long long)sites[0]->value[0]);
	if (sites[0]->resolved) {
		text_add(where, ",\n\t\t.build_id = ");
		write_build_id(where, &facts);
		text_printf(where, ", .build_id_size = %u, .notes = %lldll, .notes_size = %llu",
			    facts.build_id_size, (long long)facts.notes_offset,
			    (unsigned long long)facts.notes_size);
	}
	text_add(where, " }");
}

const struct probe_family kernel_family = {
	.name = "kernel",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_kernel",
	.describe = describe,
	.groups = groups,
};
