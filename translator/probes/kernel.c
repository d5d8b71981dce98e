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

#include "debuginfo/btf/place.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "debuginfo/type.h"
#include "source/diag.h"
#include "source/options.h"
#include "points/place_filter.h"
#include "points/place_row.h"
#include "debuginfo/images.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_script.h"

enum {
	KIND_MODULE = KIND_OWN << 0,
	KIND_ABSOLUTE = KIND_OWN << 1,	/* an address of the running kernel */
};

#define FUNCTION_SHAPES(image, whose, kind) \
	PLACE_SHAPES(image, whose, kind), \
	{ image ".function(string).takes(string)", "entry of " whose " functions that take a pointer to a struct", \
	  (kind) | KIND_CALL | KIND_TAKES }, \
	{ image ".function(string).return.maxactive(number)", "return, for at most N calls at a time", \
	  (kind) | KIND_RETURN }, \
	{ image ".function(string).fallible.return", "return from " whose " functions that may return an error", \
	  (kind) | KIND_RETURN | KIND_FALLIBLE }, \
	{ image ".function(string).fallible.return.maxactive(number)", "the same, for at most N calls at a time", \
	  (kind) | KIND_RETURN | KIND_FALLIBLE }

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

/* The data of a site. */
struct kernel_site {
	int64_t offset;			/* of the function, from the anchor or in the module's .text */
	uint32_t into;			/* bytes into the function */
	bool resolved;			/* OFFSET is used; otherwise the symbol is looked up by name at load time */
	bool absolute;			/* OFFSET is an address of the running kernel */
	int64_t maxactive;
	const struct place_callers *callers;	/* NULL: any caller */
	const char *parameters;		/* see struct tap_site; or NULL */
	const char *ungated;		/* of a return, with TAP_DIRECT: NULL, or why it may not be gated as in
					 * struct tap_site */
	unsigned taken;			/* see struct tap_site */
	struct debuginfo *image;	/* NULL: the address is absolute */
};

static const struct kernel_site *site_data(const struct site *s)
{
	return s->data;
}

#define is_kind place_search_is

/* ---- places ---- */

/* The runtime knows where a module's .text was loaded; it does not know this of other sections. */
static bool linked_offset(struct place_search *s, const char **section, int64_t *offset)
{
	struct symbols anchor = { 0 };

	*section = is_kind(s, KIND_MODULE) ? ".text" : NULL;
	*offset = (int64_t)s->number;
	if (s->image != images_kernel(s->sites->images))
		return true;
	if (debuginfo_functions(s->image, TAP_ANCHOR, &anchor) != DEBUGINFO_FOUND)
		return false;
	*offset = (int64_t)(s->number - anchor.list.items[0].address) + anchor.list.items[0].offset;
	return true;
}

/* ---- parameters ---- */

/* As in struct tap_site; 0: its place is not known. */
static char parameter_letter(const struct debug_type *type)
{
	const struct debug_type *real = type ? debug_type_real(type) : NULL;

	if (!real || real->size > 8 || real->kind == DEBUG_STRUCT || real->kind == DEBUG_UNION)
		return 0;
	if (real->kind == DEBUG_POINTER)
		return 'p';
	return (char)((real->is_signed ? '0' : 'a') + (int)real->size);
}

/* A structure that is passed by value may take any number of registers: the parameters after it are left out. NULL: the
 * registers are not known, as in copies that the compiler has made. */
static const char *parameters_of(struct arena *a, const struct debug_place *place)
{
	enum symbol_clone clone = place->symbol.clone;
	struct debug_place at = *place;
	debug_variables list = { 0 };
	struct text t;

	at.at_entry = true;
	at.at_return = false;
	text_init(&t, a);
	if ((clone != CLONE_NONE && clone != CLONE_LLVM && clone != CLONE_LTO) ||
	    debuginfo_variables(&at, VARIABLES_PARAMETERS, &list) != DEBUGINFO_FOUND)
		return NULL;
	vec_each(v, &list) {
		char letter = parameter_letter(v->type);

		if (!letter)
			break;
		text_printf(&t, "%s%s:%c", t.n ? " " : "", v->name ? v->name : "", letter);
	}
	return t.n || !list.n ? t.s : NULL;
}

/* ---- sites ---- */

/* Why calls of the function may not pass through a trampoline of tap_gate; NULL: they may. A thread that ends in one
 * would be counted as inside forever; denies() has more of these. */
static const char *site_ungated(const struct place_search *s, const struct debug_place *place)
{
	static const char *const endless[] = {
		"__*_sys_exit*", "*_and_kthread_exit", "cpu_startup_entry", "start_secondary", "*play_dead*",
		"rest_init", "arch_cpu_idle_dead", "machine_*", "crash_kexec*", "stop_this_cpu",
		/* signals */
		"get_signal", "arch_do_signal_or_restart", "exit_to_user_mode_*", "syscall_exit_to_user_mode*",
		"irqentry_exit*",
		/* seccomp */
		"__secure_computing", "__seccomp_filter", "syscall_trace_enter*",
		/* threads of the kernel and of io_uring, and helper processes */
		"kthread", "kthreadd", "*_thread_fn", "worker_thread", "io_wq_worker", "io_sq_thread",
		"call_usermodehelper_exec_async",
	};

	if (!is_kind(s, KIND_RETURN) || !options_direct(s->sites->options))
		return "it was not asked for";
	for (size_t i = 0; i < ARRAY_SIZE(endless); i++)
		if (glob_match(endless[i], place->symbol.name ? place->symbol.name : ""))
			return "threads may end in the function";
	return debuginfo_beyond_registers(place);
}

static void add_site(struct place_search *s, const struct debug_place *place)
{
	struct site *site = site_add(s->sites, &kernel_family, s->point, s->shape);
	struct kernel_site *data = arena_new(s->sites->arena, struct kernel_site);
	const struct symbol *symbol = &place->symbol;
	bool is_text = !place->section || str_equal(place->section, ".text");

	site->module = symbol->module;
	site->symbol = symbol->name;
	site->place = place;
	site->data = data;
	data->offset = symbol->offset;
	data->into = (uint32_t)(place->offset - symbol->offset);
	data->callers = s->callers;
	data->image = s->image;
	data->ungated = site_ungated(s, place);
	data->taken = is_kind(s, KIND_TAKES) ? place_taken(s, place) : 0;
	data->parameters = is_kind(s, KIND_FALLIBLE) ? parameters_of(s->sites->arena, place) : NULL;
	/* See linked_offset. */
	data->resolved = s->facts.build_id_size && (symbol->module ? is_text : s->facts.notes_size > 0);
	site->name = place_site_name(s, "module", symbol->module, place->label);
	site->shown = place_shown(s, place);
	site->flags = place_site_flags(s, place);
	point_maxactive(s->point, s->sites, &data->maxactive);
}

static bool search_modules(struct place_search *s, const struct point_component *module)
{
	struct debuginfo *kernel = images_kernel(s->sites->images);
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
	struct kernel_site *data;
	struct site *site;

	if (!s->sites->options->guru && !s->point->span.source->is_library) {
		sites_reason(s->sites, "absolute addresses need guru mode (-g)");
		return false;
	}
	site = site_add(s->sites, &kernel_family, s->point, s->shape);
	site->symbol = site->shown = arena_printf(s->sites->arena, "0x%llx", (unsigned long long)s->number);
	site->name = place_site_name(s, "module", NULL, NULL);
	site->data = data = arena_new(s->sites->arena, struct kernel_site);
	data->offset = (int64_t)s->number;
	data->absolute = true;
	return true;
}

static bool is_breakpoint(const struct site *s)
{
	return site_data(s)->into || !s->place || !(s->place->symbol.flags & SYMBOL_FTRACE);
}

/* Hundreds of breakpoints make a start noticeably slow. On x86 the kernel decodes an instruction for each of its static
 * branches below a place that it registers: about 5 million instructions a place (jump_label_text_reserved(), 6.1). */
static void warn_of_breakpoints(const struct place_search *s, size_t before)
{
	enum { MANY = 300, PLACES_A_SECOND = 500 };
	const struct sites *sites = s->sites;
	size_t n = sites->list.n - before, breakpoints = 0;

	if (sites->options->list || sites->options->list_variables)
		return;
	if (!is_kind(s, KIND_CALL) || !is_kind(s, KIND_INLINE) || point_component(s->point, "callee") ||
	    point_component(s->point, "callees"))
		return;		/* '.call' would not be the same places */
	for (size_t i = before; i < sites->list.n; i++)
		breakpoints += is_breakpoint(&sites->list.items[i]);
	if (breakpoints >= MANY)
		diag_warn(s->point->span, "%zu of %zu places are breakpoints, most of them in inlined copies of functions: "
			  "registering them takes about %zu seconds; with '.call' only entries of functions are probed",
			  breakpoints, n, (breakpoints + PLACES_A_SECOND - 1) / PLACES_A_SECOND);
}

static bool search(struct place_search *s)
{
	struct debuginfo *kernel = images_kernel(s->sites->images);
	size_t before = s->sites->list.n;
	bool found;

	if (!kernel)
		return false;
	found = is_kind(s, KIND_MODULE) ? search_modules(s, point_component(s->point, "module")) :
					  place_search_image(s, kernel);
	if (found)
		warn_of_breakpoints(s, before);
	return found;
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct place_search s = { .point = point, .shape = shape, .sites = sites, .add = add_site,
				  .offset = linked_offset, .denies = denies };
	int64_t maxactive;

	if (!point_maxactive(point, sites, &maxactive) || !place_search_begin(&s))
		return false;
	if (is_kind(&s, KIND_ABSOLUTE))
		return add_absolute(&s);
	return search(&s);
}

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && str_equal(a, b));
}

static bool groups(const struct site *site, const struct site *other)
{
	const struct kernel_site *a = site_data(site), *b = site_data(other);

	return same_text(site->module, other->module) && a->maxactive == b->maxactive &&
	       a->resolved == b->resolved && a->absolute == b->absolute && str_equal(site->name, other->name);
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *s = *(const struct site *const *)a, *t = *(const struct site *const *)b;
	const struct kernel_site *x = site_data(s), *y = site_data(t);

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->into != y->into)
		return x->into < y->into ? -1 : 1;
	return strcmp(s->shown, t->shown);
}

/* Two functions of which one is inlined into the other may begin at the same address; both are probed. */
static bool is_same(const struct site *a, const struct site *b)
{
	bool is_inlined = a->place && b->place && (a->place->caller || b->place->caller);
	const struct kernel_site *x = site_data(a), *y = site_data(b);

	return x->resolved && x->offset == y->offset && x->into == y->into &&
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

static const struct place_callers *callers_of(const struct site *s)
{
	return site_data(s)->callers;
}

static struct tap_site row_of_site(const struct site *s, const struct tap_callers *callers)
{
	const struct kernel_site *data = site_data(s);

	return (struct tap_site){ .symbol = s->symbol, .into = data->into,
				  .offset = data->resolved || data->absolute ? data->offset : TAP_BY_NAME,
				  .shown = str_equal(s->shown, s->symbol) ? NULL : s->shown,
				  .callers = data->callers ? callers : NULL, .parameters = data->parameters,
				  .gated = !data->ungated, .taken = data->taken };
}

static const void *describe(const struct site *const *sites, size_t n, struct arena *a)
{
	const struct tap_callers *callers = place_row_callers(a, sites, n, callers_of);
	const struct site **sorted = arena_array(a, const struct site *, n);
	struct tap_functions *row = arena_new(a, struct tap_functions);
	const struct kernel_site *first = site_data(sites[0]);
	struct debuginfo_facts facts = { 0 };
	struct tap_site *list;

	n = sort_unique(sorted, sites, n);
	list = arena_array(a, struct tap_site, n);
	for (size_t i = 0; i < n; i++)
		list[i] = row_of_site(sorted[i], callers);
	*row = (struct tap_functions){ .module = sites[0]->module, .sites = list, .count = (u32)n,
				       .maxactive = (u32)first->maxactive, .absolute = first->absolute };
	/* Also for a module whose functions are looked up by name: offsets into them are only
	 * valid for that build. */
	if (first->resolved || sites[0]->module)
		debuginfo_facts(first->image, &facts);
	if (facts.build_id_size)
		place_row_image(row, &facts);
	return row;
}

/* If the compiler left a call for ftrace there, hits are reported by ftrace. */
static const struct mechanism *mechanism(const struct site *s)
{
	static const struct mechanism entry = { "ftrace", 88, false }, inside = { "kprobe", 174, true },
				      returning = { "return probe", 404, false },
				      trapped = { "return probe of a kprobe", 0, true };

	if (s->flags & TAP_PROBE_RETURN)
		return is_breakpoint(s) ? &trapped : &returning;
	return is_breakpoint(s) ? &inside : &entry;
}

static const char *indirect(const struct site *s)
{
	if (is_breakpoint(s))
		return "only at the entry of a function that ftrace can hook";
	if (site_data(s)->callers)
		return "the place depends on its caller";
	return s->flags & TAP_PROBE_RETURN ? site_data(s)->ungated : NULL;
}

const struct probe_family kernel_family = {
	.name = "kernel",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_kernel",
	.where = &row_functions,
	.describe = describe,
	.may_override = may_override,
	.groups = groups,
	.mechanism = mechanism,
	.indirect = indirect,
	.site_bytes = 1536,
	.row_bytes = 2048,
	.session_bytes = 64 << 10,
};
