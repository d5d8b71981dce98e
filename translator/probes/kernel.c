/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.function("p"), kernel.statement("p"), the same under module("m") and kprobe, and their
 * suffixes (.call, .inline, .return, .label ...). Places come from debuginfo: symbol tables are enough
 * for entries; lines, labels and inlined copies need DWARF. A place is kept as the distance from an
 * anchor that the module loader resolves, with the build-id of the image that it was read from.
 *
 * A wildcard leaves out and counts the places that cannot be probed; if a name is given in full and its
 * place cannot be probed, that is an error with the reason. */
#include "points/family.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "source/options.h"
#include "points/place_search.h"
#include "source/translation.h"
#include "base/util.h"

#include "tap_script.h"

enum {
	KIND_MODULE = KIND_OWN << 0,
	KIND_ABSOLUTE = KIND_OWN << 1,	/* an address of the running kernel */
};

#define FUNCTION_SHAPES(image, whose, kind) \
	PLACE_SHAPES(image, whose, kind), \
	{ image ".function(string).return.maxactive(number)", "return, for at most N calls at a time", \
	  (kind) | KIND_RETURN }

static const struct point_shape shapes[] = {
	FUNCTION_SHAPES("kernel", "the kernel's", 0),
	FUNCTION_SHAPES("module(string)", "a module's", KIND_MODULE),
	{ "kernel.statement(number).absolute", "the instruction at an address of the running kernel",
	  KIND_STATEMENT | KIND_NUMBER | KIND_ABSOLUTE },
	{ "kprobe.function(string)", "entry of the kernel's functions", KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.function(string).call", "entry of the kernel's functions", KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.function(string).return", "return from the kernel's functions", KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.function(string).return.maxactive(number)", "return, for at most N calls at a time",
	  KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string)", "entry of a module's functions",
	  KIND_MODULE | KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).call", "entry of a module's functions",
	  KIND_MODULE | KIND_CALL | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).return", "return from a module's functions",
	  KIND_MODULE | KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.module(string).function(string).return.maxactive(number)",
	  "return, for at most N calls at a time", KIND_MODULE | KIND_RETURN | KIND_SYMBOLS },
	{ "kprobe.statement(number).absolute", "the instruction at an address of the running kernel",
	  KIND_STATEMENT | KIND_NUMBER | KIND_ABSOLUTE },
	{ NULL, NULL, 0 },
};

const struct probe_family kernel_family;

#define is_kind place_search_is

/* ---- places ---- */

/* The runtime knows where a module's .text was loaded; it does not know this of other sections. */
static bool linked_offset(struct place_search *s, const char **section, int64_t *offset)
{
	struct symbols anchor = { 0 };

	*section = is_kind(s, KIND_MODULE) ? ".text" : NULL;
	*offset = (int64_t)s->number;
	if (s->image != sites_kernel(s->sites))
		return true;
	if (debuginfo_functions(s->image, TAP_ANCHOR, &anchor) != DEBUGINFO_FOUND)
		return false;
	*offset = (int64_t)(s->number - anchor.list.items[0].address) + anchor.list.items[0].offset;
	return true;
}

/* ---- sites ---- */

static void add_site(struct place_search *s, const struct debug_place *place)
{
	struct site *site = site_add(s->sites, &kernel_family, s->point, s->shape);
	const struct symbol *symbol = &place->symbol;
	bool is_text = !place->section || str_equal(place->section, ".text");

	site->module = symbol->module;
	site->symbol = symbol->name;
	site->offset = symbol->offset;
	site->into = (uint32_t)(place->offset - symbol->offset);
	site->place = place;
	/* See linked_offset. */
	site->resolved = s->facts.build_id_size && (symbol->module ? is_text : s->facts.notes_size > 0);
	site->name = place_site_name(s, "module", symbol->module, place->label);
	site->shown = place_shown(s, place);
	site->flags = place_site_flags(s, place);
	point_maxactive(s->point, s->sites, &site->value[0]);
}

static bool search_modules(struct place_search *s, const struct point_component *module)
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
			found |= place_search_image(s, image);
	}
	return found;
}

/* NULL: the function may be overridden. */
static const char *why_it_must_run(const char *function)
{
	static const struct { const char *pattern, *why; } list[] = {
#define MUST_RUN(pattern, why) { pattern, why },
#include "must_run.def"
#undef MUST_RUN
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (glob_match(list[i].pattern, function))
			return list[i].why;
	return NULL;
}

/* Why the return of P may not be probed; NULL: it may. (Inlined copies have no return address.) */
static const char *denies(struct place_search *s, const struct debug_place *p)
{
	static const struct { const char *pattern, *why, *source; } list[] = {
#define DENY(pattern, why, source) { pattern, why, source },
#include "deny.def"
#include "debuginfo/symbols/symbols.h"
#undef DENY
	};

	for (size_t i = 0; i < ARRAY_SIZE(list) && is_kind(s, KIND_RETURN) && !p->caller; i++)
		if (glob_match(list[i].pattern, p->symbol.name))
			return arena_printf(s->sites->arena, "'%s' may not be probed at its return: %s (%s)",
					    p->symbol.name, list[i].why, list[i].source);
	return NULL;
}

/* The return value must fit in a register, and the point must name a single function. */
static bool may_override(const struct site *s, struct sites *sites)
{
	struct debug_place at = s->place ? *s->place : (struct debug_place){ 0 };
	struct debug_variable value = { 0 };
	const struct debug_type *type;
	const char *why;

	if (!at.at_entry || at.caller || s->flags & TAP_PROBE_RETURN)
		return false;
	why = why_it_must_run(s->symbol);
	if (why) {
		sites_reason(sites, "'%s' must run: %s", s->symbol, why);
		return false;
	}
	if (s->flags & TAP_PROBE_SITES) {
		sites_reason(sites, "a pattern may match different functions on each kernel: name one function");
		return false;
	}
	at.at_entry = false;
	at.at_return = true;
	type = debuginfo_return(&at, &value) == DEBUGINFO_FOUND ? debug_type_real(value.type) : NULL;
	if (type && (type->kind == DEBUG_STRUCT || type->kind == DEBUG_UNION || type->kind == DEBUG_FLOAT ||
		     type->size > 8)) {
		sites_reason(sites, "the return value of '%s' does not fit in a register", s->symbol);
		return false;
	}
	return true;
}

/* An address of the running kernel: no debug information or symbols are needed. */
static bool add_absolute(struct place_search *s)
{
	struct site *site;

	if (!s->sites->translation->options->guru && !s->point->span.source->is_library) {
		sites_reason(s->sites, "absolute addresses need guru mode (-g)");
		return false;
	}
	site = site_add(s->sites, &kernel_family, s->point, s->shape);
	site->symbol = site->shown = arena_printf(s->sites->arena, "0x%llx", (unsigned long long)s->number);
	site->name = place_site_name(s, "module", NULL, NULL);
	site->offset = (int64_t)s->number;
	site->absolute = true;
	return true;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct place_search s = { .point = point, .shape = shape, .sites = sites, .add = add_site,
				  .offset = linked_offset, .denies = denies };
	struct debuginfo *kernel;
	int64_t maxactive;

	if (!point_maxactive(point, sites, &maxactive) || !place_search_begin(&s))
		return false;
	if (is_kind(&s, KIND_ABSOLUTE))
		return add_absolute(&s);
	kernel = sites_kernel(sites);
	if (!kernel)
		return false;
	if (is_kind(&s, KIND_MODULE))
		return search_modules(&s, point_component(point, "module"));
	return place_search_image(&s, kernel);
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

/* Two functions of which one is inlined into the other may begin at the same address; both are probed. */
static bool is_same(const struct site *a, const struct site *b)
{
	bool is_inlined = a->place && b->place && (a->place->caller || b->place->caller);

	return a->resolved && a->offset == b->offset && a->into == b->into &&
	       !(is_inlined && !str_equal(a->shown, b->shown));
}

/* An address may have several names: it is probed once, under the first of them. */
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

static struct debuginfo *image_of(const struct site *s)
{
	struct debuginfo *kernel = s->point->span.source->translation->kernel;

	return s->module ? debuginfo_module(kernel, s->module) : kernel;
}

static void write_site(struct text *out, const struct site *s, unsigned number)
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
	if (s->callers)
		text_printf(out, ", .callers = &callers_%u", number);
	text_add(out, " },\n");
}

static void describe(const struct site *const *sites, size_t n, unsigned number,
		     struct text *declarations, struct text *where)
{
	const struct site **sorted = arena_array(where->arena, const struct site *, n);
	struct debuginfo_facts facts = { 0 };

	place_write_callers(declarations, sites, n, number);
	n = sort_unique(sorted, sites, n);
	text_printf(declarations, "static const struct tap_site sites_%u[] = {\n", number);
	for (size_t i = 0; i < n; i++)
		write_site(declarations, sorted[i], number);
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
	/* Also for a module whose functions are looked up by name: offsets into them are only
	 * valid for that build. */
	if (facts.build_id_size && (sites[0]->resolved || sites[0]->module)) {
		text_add(where, ",\n\t\t.build_id = ");
		place_write_build_id(where, &facts);
		text_printf(where, ", .build_id_size = %u, .notes = %lldll, .notes_size = %llu",
			    facts.build_id_size, (long long)facts.notes_offset,
			    (unsigned long long)facts.notes_size);
	}
	text_add(where, " }");
}

/* If the compiler left a call for ftrace there, hits are reported by ftrace. */
static const struct mechanism *mechanism(const struct site *s)
{
	static const struct mechanism entry = { "ftrace", 88 }, inside = { "kprobe", 174 },
				      returning = { "return probe", 404 };

	if (s->flags & TAP_PROBE_RETURN)
		return &returning;
	return !s->into && s->place && s->place->symbol.flags & SYMBOL_FTRACE ? &entry : &inside;
}

const struct probe_family kernel_family = {
	.name = "kernel",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_kernel",
	.describe = describe,
	.may_override = may_override,
	.groups = groups,
	.mechanism = mechanism,
	.site_bytes = 1536,
	.row_bytes = 1024,
	.session_bytes = 64 << 10,
};
