/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.function("p"), kernel.statement("p"), the same under module("m") and kprobe, and what stands
 * behind them (.call, .inline, .return, .label ...). Places come from debuginfo: entries are known by
 * symbol tables; lines, labels and where functions are inlined by DWARF alone. A place is kept as the
 * distance from an anchor that the module loader resolves, with the build-id of the image that it was
 * read from.
 *
 * A wildcard leaves out what cannot be probed and counts it; a name that was written out and cannot
 * be probed is an error with the reason. */
#include "family.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "options.h"
#include "place_spec.h"
#include "translation.h"
#include "util.h"

#include "tap_script.h"

enum {
	KIND_MODULE = 1 << 0,
	KIND_CALL = 1 << 1,		/* out-of-line entries */
	KIND_INLINE = 1 << 2,		/* inlined copies */
	KIND_RETURN = 1 << 3,
	KIND_MAXACTIVE = 1 << 4,
	KIND_EXPORTED = 1 << 5,		/* only what other images can link to */
	KIND_LABEL = 1 << 6,
	KIND_STATEMENT = 1 << 7,
	KIND_NEAREST = 1 << 8,
	KIND_NUMBER = 1 << 9,		/* an address instead of a name */
	KIND_ABSOLUTE = 1 << 10,	/* of the running kernel */
	KIND_SYMBOLS = 1 << 11,		/* nothing is asked of debug information */
};

#define FUNCTION_SHAPES(image, whose, kind) \
	{ image ".function(string)", whose " functions: entries, and where they are inlined", \
	  (kind) | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).call", "entry of " whose " functions", (kind) | KIND_CALL }, \
	{ image ".function(string).inline", "where " whose " functions are inlined", \
	  (kind) | KIND_INLINE }, \
	{ image ".function(string).return", "return from " whose " functions", (kind) | KIND_RETURN }, \
	{ image ".function(string).return.maxactive(number)", "return, with so many calls at once", \
	  (kind) | KIND_RETURN | KIND_MAXACTIVE }, \
	{ image ".function(string).exported", "entry of " whose " functions that are exported", \
	  (kind) | KIND_CALL | KIND_EXPORTED }, \
	{ image ".function(string).exported.return", "return from " whose " functions that are exported", \
	  (kind) | KIND_RETURN | KIND_EXPORTED }, \
	{ image ".function(string).label(string)", "a label in " whose " functions", \
	  (kind) | KIND_LABEL }, \
	{ image ".function(number)", "entry of the function at an address", \
	  (kind) | KIND_CALL | KIND_NUMBER }, \
	{ image ".function(number).call", "entry of the function at an address", \
	  (kind) | KIND_CALL | KIND_NUMBER }, \
	{ image ".function(number).return", "return from the function at an address", \
	  (kind) | KIND_RETURN | KIND_NUMBER }, \
	{ image ".statement(string)", "source lines", (kind) | KIND_STATEMENT }, \
	{ image ".statement(string).nearest", "the next source line that has code", \
	  (kind) | KIND_STATEMENT | KIND_NEAREST }, \
	{ image ".statement(number)", "the instruction at an address, as linked", \
	  (kind) | KIND_STATEMENT | KIND_NUMBER }

static const struct point_shape shapes[] = {
	FUNCTION_SHAPES("kernel", "the kernel's", 0),
	FUNCTION_SHAPES("module(string)", "a module's", KIND_MODULE),
	{ "kernel.statement(number).absolute", "the instruction at an address of the running kernel",
	  KIND_STATEMENT | KIND_NUMBER | KIND_ABSOLUTE },
	{ "kprobe.function(string)", "entry of the kernel's functions", KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.function(string).call", "entry of the kernel's functions", KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.function(string).return", "return from the kernel's functions", KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.function(string).return.maxactive(number)", "return, with so many calls at once",
	  KIND_RETURN | KIND_MAXACTIVE | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string)", "entry of a module's functions",
	  KIND_MODULE | KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).call", "entry of a module's functions",
	  KIND_MODULE | KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).return", "return from a module's functions",
	  KIND_MODULE | KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).return.maxactive(number)",
	  "return, with so many calls at once", KIND_MODULE | KIND_RETURN | KIND_MAXACTIVE | KIND_SYMBOLS },
	{ "kprobe.statement(number).absolute", "the instruction at an address of the running kernel",
	  KIND_STATEMENT | KIND_NUMBER | KIND_ABSOLUTE },
	{ NULL, NULL, 0 },
};

const struct probe_family kernel_family;

/* One point being resolved in one image. */
struct search {
	const struct point *point;
	const struct point_shape *shape;
	struct sites *sites;
	struct place_spec spec;
	const char *label;
	uint64_t number;
	struct debuginfo *image;
	struct debuginfo_facts facts;
	bool wild;
};

static bool is_kind(const struct search *s, int kind)
{
	return s->shape->what & kind;
}

/* ---- names ---- */

static bool is_place_component(const struct point_component *c)
{
	return str_equal(c->name, "function") || str_equal(c->name, "statement");
}

static const struct point_component *place_component(const struct point *point)
{
	vec_each(c, &point->components)
		if (is_place_component(c))
			return c;
	return NULL;
}

/* The point as pp() shows it: the function's name is a byte 1. */
static const char *site_name(struct arena *a, const struct point *point, const char *module,
			     const char *label)
{
	struct text t;

	text_init(&t, a);
	vec_each(c, &point->components) {
		if (t.n)
			text_char(&t, '.');
		text_add(&t, c->name);
		if (is_place_component(c))
			text_add(&t, c->is_string ? "(\"\1\")" : "(\1)");
		else if (str_equal(c->name, "module"))
			text_printf(&t, "(\"%s\")", module);
		else if (c->has_argument && c->is_string)
			text_printf(&t, "(\"%s\")", str_equal(c->name, "label") ? label : c->text);
		else if (c->has_argument)
			text_printf(&t, "(%lld)", (long long)c->number);
	}
	return t.s;
}

/* What stands for the byte 1. */
static const char *place_name(struct arena *a, const struct search *s, const struct debug_place *p)
{
	if (is_kind(s, KIND_NUMBER))
		return arena_printf(a, "0x%llx", (unsigned long long)s->number);
	if (!p->file)
		return p->function;
	return arena_printf(a, "%s@%s:%u", p->function, p->file, p->line);
}

/* ---- places ---- */

static bool places_of_lines(struct search *s, debug_places *out)
{
	bool found = false;

	vec_each(l, &s->spec.lines)
		found |= debuginfo_line_places(s->image, s->spec.function, s->spec.file, l->first, l->last,
					       s->spec.relative, is_kind(s, KIND_NEAREST), out) ==
			 DEBUGINFO_FOUND;
	return found;
}

static unsigned place_kinds(const struct search *s)
{
	const struct options *o = s->sites->translation->options;
	unsigned kinds = o->list || o->list_variables ? PLACE_ONCE : 0;

	if (is_kind(s, KIND_STATEMENT))
		return kinds | PLACE_CALL | PLACE_INLINE;
	return kinds | (is_kind(s, KIND_CALL) ? PLACE_CALL : 0) | (is_kind(s, KIND_INLINE) ? PLACE_INLINE : 0) |
	       (is_kind(s, KIND_RETURN) ? PLACE_RETURN : 0) | (is_kind(s, KIND_SYMBOLS) ? PLACE_SYMBOLS : 0);
}

static bool places_of_functions(struct search *s, debug_places *out)
{
	return debuginfo_function_places(s->image, s->spec.function, s->spec.file, place_kinds(s), out) ==
	       DEBUGINFO_FOUND;
}

static bool has_line(const struct search *s, const struct debug_place *p, const debug_places *lines)
{
	vec_each(l, &s->spec.lines)
		if (!s->spec.relative && p->line >= l->first && p->line <= l->last)
			return true;
	vec_each(l, lines)
		if (l->id == p->id)
			return true;
	return false;
}

/* Functions that have code of these lines. */
static bool places_of_functions_with_lines(struct search *s, debug_places *out)
{
	debug_places all = { 0 }, lines = { 0 };

	if (!places_of_functions(s, &all))
		return false;
	places_of_lines(s, &lines);
	vec_each(p, &all)
		if (has_line(s, p, &lines))
			*vec_add(s->sites->arena, out) = *p;
	if (!out->n)
		sites_reason(s->sites, "no function '%s' has code of these lines", s->spec.function);
	return out->n > 0;
}

/* The address in S as an offset from what offsets count from. */
static bool linked_offset(struct search *s, int64_t *offset)
{
	struct symbols anchor = { 0 };

	*offset = (int64_t)s->number;
	if (s->image != sites_kernel(s->sites))
		return true;
	if (debuginfo_functions(s->image, TAP_ANCHOR, &anchor) != DEBUGINFO_FOUND)
		return false;
	*offset = (int64_t)(s->number - anchor.list.items[0].address) + anchor.list.items[0].offset;
	return true;
}

static bool place_of_number(struct search *s, debug_places *out)
{
	const char *section = is_kind(s, KIND_MODULE) ? ".text" : NULL;
	struct debug_place p;
	int64_t offset;

	if (!linked_offset(s, &offset) ||
	    debuginfo_place_at(s->image, section, offset, &p) != DEBUGINFO_FOUND)
		return false;
	if (!is_kind(s, KIND_STATEMENT) && p.offset != p.entry &&
	    debuginfo_place_at(s->image, section, p.entry, &p) != DEBUGINFO_FOUND)
		return false;
	p.at_return = is_kind(s, KIND_RETURN);
	p.at_entry &= !p.at_return;
	*vec_add(s->sites->arena, out) = p;
	return true;
}

static bool find_places(struct search *s, debug_places *out)
{
	if (is_kind(s, KIND_NUMBER))
		return place_of_number(s, out);
	if (is_kind(s, KIND_LABEL))
		return debuginfo_label_places(s->image, s->spec.function, s->spec.file, s->label, out) ==
		       DEBUGINFO_FOUND;
	if (!s->spec.lines.n)
		return places_of_functions(s, out);
	return is_kind(s, KIND_STATEMENT) ? places_of_lines(s, out) : places_of_functions_with_lines(s, out);
}

/* ---- sites ---- */

static const char *obstacle(const struct debug_place *p)
{
	const struct symbol *s = &p->symbol;

	if (!s->name)
		return "is not in the symbol table";
	if (p->offset == p->entry && !p->caller && (s->clone == CLONE_PART || s->clone == CLONE_COLD))
		return "is a part of a function that the compiler moved out, and no entry";
	return symbol_obstacle_text(s->obstacle);
}

static void add_site(struct search *s, const struct debug_place *place)
{
	struct arena *a = s->sites->arena;
	struct site *site = site_add(s->sites, &kernel_family, s->point, s->shape);
	const struct symbol *symbol = &place->symbol;
	bool is_text = !place->section || str_equal(place->section, ".text");

	site->module = symbol->module;
	site->symbol = symbol->name;
	site->offset = symbol->offset;
	site->into = (uint32_t)(place->offset - symbol->offset);
	site->place = place;
	/* The runtime knows where a module's .text is, and no other section. */
	site->resolved = s->facts.build_id_size && (symbol->module ? is_text : s->facts.notes_size > 0);
	site->name = site_name(a, s->point, symbol->module, place->label);
	site->shown = place_name(a, s, place);
	site->flags = (is_kind(s, KIND_RETURN) ? TAP_PROBE_RETURN : 0) |
		      (s->wild || place->caller ? TAP_PROBE_SITES : 0);
	if (is_kind(s, KIND_MAXACTIVE))
		site->value[0] = point_component(s->point, "maxactive")->number;
}

static bool is_wanted(struct search *s, const struct debug_place *p)
{
	const char *why = obstacle(p);

	if (is_kind(s, KIND_EXPORTED) && !(p->symbol.flags & SYMBOL_GLOBAL))
		return false;
	if (why && s->wild) {
		s->sites->skipped++;
		return false;
	}
	if (why) {
		s->sites->skipped += p->caller != NULL;
		sites_reason(s->sites, "'%s' %s", p->caller ? p->caller : p->function, why);
		return false;
	}
	if (s->wild && s->facts.ftrace_sites && !(p->symbol.flags & SYMBOL_FTRACE)) {
		s->sites->skipped++;	/* notrace: mostly what the tracing itself runs on */
		return false;
	}
	return true;
}

static void say_why_not(struct search *s)
{
	const char *near, *name = s->spec.function;

	sites_reason(s->sites, "%s", debuginfo_reason(s->image));
	near = is_kind(s, KIND_NUMBER) || is_glob(name) ? NULL : debuginfo_suggest(s->image, name);
	if (near && !str_equal(near, name))
		sites_reason(s->sites, "did you mean '%s'?", near);
}

static bool add_places(struct search *s)
{
	size_t before = s->sites->list.n;
	debug_places places = { 0 };

	if (!find_places(s, &places)) {
		if (*debuginfo_reason(s->image))
			say_why_not(s);
		return false;
	}
	vec_each(p, &places)
		if (is_wanted(s, p))
			add_site(s, p);
	if (s->sites->list.n == before && s->wild)
		sites_reason(s->sites, "none of the %zu places that '%s' fits can be probed",
			     places.n, s->spec.function);
	else if (s->sites->list.n == before && is_kind(s, KIND_EXPORTED))
		sites_reason(s->sites, "'%s' is not exported", s->spec.function);
	return s->sites->list.n > before;
}

static bool search_image(struct search *s, struct debuginfo *image)
{
	s->image = image;
	s->facts = (struct debuginfo_facts){ 0 };
	debuginfo_facts(image, &s->facts);
	return add_places(s);
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

/* An address of the running kernel: nothing is asked of anybody. */
static bool add_absolute(struct search *s)
{
	struct site *site;

	if (!s->sites->translation->options->guru && !s->point->span.source->is_library) {
		sites_reason(s->sites, "absolute addresses are for guru mode (-g)");
		return false;
	}
	site = site_add(s->sites, &kernel_family, s->point, s->shape);
	site->symbol = site->shown = arena_printf(s->sites->arena, "0x%llx", (unsigned long long)s->number);
	site->name = site_name(s->sites->arena, s->point, NULL, NULL);
	site->offset = (int64_t)s->number;
	site->absolute = true;
	return true;
}

static bool read_arguments(struct search *s)
{
	const struct point_component *c = place_component(s->point), *label = NULL;
	const char *reason;

	if (is_kind(s, KIND_LABEL))
		label = point_component(s->point, "label");
	if (is_kind(s, KIND_MAXACTIVE) && point_component(s->point, "maxactive")->number < 1) {
		sites_reason(s->sites, "maxactive is at least 1");
		return false;
	}
	s->label = label ? label->text : NULL;
	s->number = (uint64_t)c->number;
	if (is_kind(s, KIND_NUMBER)) {
		s->spec.function = point_text(s->sites->arena, s->point);
		return true;
	}
	if (strlen(c->text) != c->text_size) {
		sites_reason(s->sites, "a name holds no byte 0");
		return false;
	}
	if (!place_spec_parse(s->sites->arena, c->text, &s->spec, &reason)) {
		sites_reason(s->sites, "%s", reason);
		return false;
	}
	s->wild = place_spec_is_wild(&s->spec) || (label && is_glob(label->text));
	if (is_kind(s, KIND_NEAREST) && s->spec.lines.n != 1) {
		sites_reason(s->sites, "nearest to what? \"%s@file:line\" tells", s->spec.function);
		return false;
	}
	return true;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct search s = { .point = point, .shape = shape, .sites = sites };
	struct debuginfo *kernel;

	if (!read_arguments(&s))
		return false;
	if (is_kind(&s, KIND_ABSOLUTE))
		return add_absolute(&s);
	kernel = sites_kernel(sites);
	if (!kernel)
		return false;
	if (is_kind(&s, KIND_MODULE))
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
	       site->resolved == other->resolved && site->absolute == other->absolute &&
	       str_equal(site->name, other->name);
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->into != y->into)
		return x->into < y->into ? -1 : 1;
	return strcmp(x->shown, y->shown);
}

/* Two functions that are inlined into each other may begin at one place, and both are meant. */
static bool is_same(const struct site *a, const struct site *b)
{
	bool is_inlined = a->place && b->place && (a->place->caller || b->place->caller);

	return a->resolved && a->offset == b->offset && a->into == b->into &&
	       !(is_inlined && !str_equal(a->shown, b->shown));
}

/* Several names may have one address: a place is probed once, under the first of them. */
static size_t sort_unique(const struct site **sorted, const struct site *const *sites, size_t n)
{
	size_t kept = 0;

	memcpy(sorted, sites, n * sizeof(*sites));
	qsort(sorted, n, sizeof(*sorted), compare_sites);
	for (size_t i = 0; i < n; i++)
		if (!kept || !is_same(sorted[i], sorted[kept - 1]))
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

static void write_site(struct text *out, const struct site *s)
{
	if (s->resolved || s->absolute)
		text_printf(out, "\t{ \"%s\", %lldll, %u", s->symbol, (long long)s->offset, s->into);
	else
		text_printf(out, "\t{ \"%s\", TAP_BY_NAME, %u", s->symbol, s->into);
	if (!str_equal(s->shown, s->symbol)) {
		text_add(out, ", \"");
		text_c_escape(out, s->shown, strlen(s->shown));
		text_char(out, '"');
	}
	text_add(out, " },\n");
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct site **sorted = arena_array(where->arena, const struct site *, n);
	struct debuginfo_facts facts = { 0 };

	n = sort_unique(sorted, sites, n);
	text_printf(declarations, "static const struct tap_site sites_%u[] = {\n", number);
	for (size_t i = 0; i < n; i++)
		write_site(declarations, sorted[i]);
	text_add(declarations, "};\n");
	if (sites[0]->resolved || sites[0]->module)
		debuginfo_facts(image_of(sites[0]), &facts);
	text_add(where, "&(const struct tap_functions){ ");
	if (sites[0]->module)
		text_printf(where, ".module = \"%s\", ", sites[0]->module);
	text_printf(where, ".sites = sites_%u, .count = %zu, .maxactive = %lld", number, n,
		    (long long)sites[0]->value[0]);
	if (sites[0]->absolute)
		text_add(where, ", .absolute = 1");
	/* Also of a module whose functions are looked up by their names: places in them are of that build. */
	if (facts.build_id_size && (sites[0]->resolved || sites[0]->module)) {
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
