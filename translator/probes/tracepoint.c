/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.trace("name") or ("system:name"), module("m").trace(...), and .tracepoint for .trace: the
 * tracepoints of the kernel and its modules. They are looked up by name when the module starts;
 * their arguments come from debuginfo. */
#include "points/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/exact_type.h"
#include "points/place_row.h"
#include "source/target_host.h"
#include "debuginfo/images.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/tracepoint.h"

enum { IN_KERNEL, IN_MODULE };
enum { RAW_ARGUMENTS = 5 };

static const struct point_shape shapes[] = {
	{ "kernel.trace(string)", "the kernel's tracepoints", IN_KERNEL },
	{ "kernel.tracepoint(string)", "the kernel's tracepoints", IN_KERNEL },
	{ "module(string).trace(string)", "a module's tracepoints", IN_MODULE },
	{ "module(string).tracepoint(string)", "a module's tracepoints", IN_MODULE },
	{ NULL, NULL, 0 },
};

static const struct row_layout point_layout = ROW_LAYOUT(tap_tracepoint,
	ROW_STRUCT(tap_tracepoint, site, &row_site),
	ROW_MEMBER(tap_tracepoint, module),
	ROW_MEMBER(tap_tracepoint, arguments),
	ROW_FUNCTION(tap_tracepoint, typed));

static const struct row_layout layout = ROW_LAYOUT(tap_tracepoints,
	ROW_TABLE(tap_tracepoints, points, count, &point_layout),
	ROW_MEMBER(tap_tracepoints, count));

const struct probe_family tracepoint_family;

/* The data of a site. */
struct tracepoint_site {
	struct debuginfo *image;	/* that the tracepoint is in */
	bool typed;			/* the kernel checks types at calls */
};

/* One point being resolved. */
struct search {
	const struct point *point;
	const struct point_shape *shape;
	struct sites *sites;
	const char *system;		/* a pattern, or NULL */
	const char *name;
	bool wild;
	bool typed;			/* see struct tracepoint_site */
};

static bool is_last_component(const struct point_component *c)
{
	return str_equal(c->name, "trace") || str_equal(c->name, "tracepoint");
}

/* The point as pp() shows it: a byte 1 is "system:name". */
static const char *site_name(struct arena *a, const struct point *point, const char *module)
{
	struct text t;

	text_init(&t, a);
	vec_each(c, &point->components) {
		text_printf(&t, "%s%s", t.n ? "." : "", c->name);
		if (is_last_component(c))
			text_add(&t, "(\"\1\")");
		else if (c->has_argument)
			text_printf(&t, "(\"%s\")", module);
	}
	return t.s;
}

/* If symbols are functions only (a kernel without KALLSYMS_ALL), systems are not known. The system
 * in the script is then accepted, because tracepoint names are unique. */
static bool is_in_system(const struct search *s, const struct tracepoint *t)
{
	if (!s->system)
		return true;
	return t->system ? glob_match(s->system, t->system) : !is_glob(s->system) && !is_glob(s->name);
}

static void add_site(struct search *s, struct debuginfo *image, const struct tracepoint *t)
{
	struct arena *a = s->sites->arena;
	struct site *site = site_add(s->sites, &tracepoint_family, s->point, s->shape);
	const char *system = t->system ? t->system : s->system;
	struct tracepoint_site *data;

	site->module = t->module;
	site->symbol = t->name;
	site->shown = system ? arena_printf(a, "%s:%s", system, t->name) : t->name;
	site->name = site_name(a, s->point, t->module);
	site->flags = s->wild ? TAP_PROBE_SITES : 0;
	data = arena_new(a, struct tracepoint_site);
	data->image = image;
	data->typed = s->typed;
	site->data = data;
}

static struct debuginfo *image_of(const struct site *s)
{
	return ((const struct tracepoint_site *)s->data)->image;
}

static bool are_systems_known(const struct tracepoints *found)
{
	bool known = !found->list.n;

	vec_each(t, &found->list)
		known |= t->system != NULL;
	return known;
}

static bool search_image(struct search *s, struct debuginfo *d)
{
	struct tracepoints found = { 0 };
	size_t before = s->sites->list.n;
	const char *near;

	if (debuginfo_tracepoints(d, s->name, &found) != DEBUGINFO_FOUND) {
		sites_reason(s->sites, "%s", debuginfo_reason(d));
		near = s->wild ? NULL : debuginfo_suggest_tracepoint(d, s->name);
		if (near)
			sites_reason(s->sites, "did you mean '%s'?", near);
		return false;
	}
	vec_each(t, &found.list)
		if (is_in_system(s, t))
			add_site(s, d, t);
	if (s->sites->list.n > before)
		return true;
	if (!are_systems_known(&found))
		sites_reason(s->sites, "the systems of %s's tracepoints are not known: name a tracepoint without "
			     "wildcards, or omit the system",
			     debuginfo_module_name(d) ? debuginfo_module_name(d) : "the kernel");
	else if (s->wild)
		sites_reason(s->sites, "no tracepoint of %s matches '%s:%s'",
			     debuginfo_module_name(d) ? debuginfo_module_name(d) : "the kernel", s->system, s->name);
	vec_each(t, &found.list)
		if (!s->wild && t->system)
			sites_reason(s->sites, "'%s' belongs to system '%s'", t->name, t->system);
	return false;
}

static bool search_modules(struct search *s, const char *pattern)
{
	struct debuginfo *kernel = images_kernel(s->sites->images);
	struct module_names names = { 0 };
	bool found = false;

	s->wild |= is_glob(pattern);
	if (debuginfo_modules(kernel, pattern, &names) != DEBUGINFO_FOUND) {
		sites_reason(s->sites, "%s", debuginfo_reason(kernel));
		return false;
	}
	for (size_t i = 0; i < names.list.n; i++) {
		struct debuginfo *d = debuginfo_module(kernel, names.list.items[i]);

		if (d)
			found |= search_image(s, d);
		else
			sites_reason(s->sites, "%s", debuginfo_reason(kernel));
	}
	return found;
}

/* Search a module in which the tracepoint may not exist: no reasons are added. */
static bool try_module(struct search *s, const char *name)
{
	struct debuginfo *kernel = images_kernel(s->sites->images), *d;
	struct module_names names = { 0 };
	size_t reasons = s->sites->reasons.n;
	bool found = false;

	vec_each(site, &s->sites->list)
		if (site->module && str_equal(site->module, name))
			return true;
	if (debuginfo_modules(kernel, name, &names) == DEBUGINFO_FOUND && names.list.n == 1) {
		d = debuginfo_module(kernel, names.list.items[0]);
		found = d && search_image(s, d);
	}
	s->sites->reasons.n = reasons;
	return found;
}

/* "ext4" and "ext4_sync" of "ext4_sync_file*" */
static bool try_first_words(struct search *s)
{
	bool found = false;

	for (const char *end = s->name; !found && *end && !strchr("*?[", *end); end++)
		if (*end == '_' && end > s->name)
			found = try_module(s, arena_strndup(s->sites->arena, s->name, (size_t)(end - s->name)));
	return found;
}

static bool try_loaded(struct search *s)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[512], name[64];
	bool found = false;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s", name) == 1)
			found |= try_module(s, arena_strdup(s->sites->arena, name));
	if (f)
		fclose(f);
	return found;
}

/* Tracepoints are named without their modules, and searching all installed modules takes long. So a pattern means
 * the kernel and, for the running kernel, the modules that are loaded. Any name also means the module named like
 * the system or like the first words of the name, as nearly all are: "kvm:kvm_exit", "ext4_sync_file_enter". */
static bool search_kernel(struct search *s)
{
	bool found = search_image(s, images_kernel(s->sites->images));

	if (found && !s->wild)
		return true;
	if (s->system && !is_glob(s->system))
		found |= try_module(s, s->system);
	if (!s->system)
		found |= try_first_words(s);
	if (s->wild && s->sites->images->host->is_running)
		found |= try_loaded(s);
	return found;
}

/* Before Linux 6.18, and since. */
static bool checks_types(const struct sites *sites)
{
	struct target_host *host = sites->images->host;

	return target_host_config(host, sites->arena, "CONFIG_CFI_CLANG") ||
	       target_host_config(host, sites->arena, "CONFIG_CFI");
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const struct point_component *c = &point->components.items[point->components.n - 1];
	const char *colon = strchr(c->text, ':');
	struct search s = { .point = point, .shape = shape, .sites = sites,
			    .name = colon ? colon + 1 : c->text };

	if (colon)
		s.system = arena_strndup(sites->arena, c->text, (size_t)(colon - c->text));
	s.wild = is_glob(c->text);
	s.typed = checks_types(sites);
	if (shape->what == IN_MODULE)
		return search_modules(&s, point_component(point, "module")->text);
	return search_kernel(&s);
}

/* ---- variables ---- */

static bool arguments(const struct site *s, debug_variables *out, struct sites *sites)
{
	struct debuginfo *d = image_of(s);

	if (d && debuginfo_tracepoint_arguments(d, s->symbol, out) == DEBUGINFO_FOUND)
		return true;
	if (sites && d)
		sites_reason(sites, "%s", debuginfo_reason(d));
	return false;
}

/* "arg2": 2; 0 for other names. */
static size_t argument_number(const char *name)
{
	char *end;
	unsigned long n;

	if (strncmp(name, "arg", 3) || name[3] < '1' || name[3] > '9')
		return 0;
	n = strtoul(name + 3, &end, 10);
	return *end ? 0 : n;
}

static const struct debug_type long_type = { .kind = DEBUG_INT, .name = "long", .size = 8,
					     .is_signed = true };

/* The number of arguments is not known: those that every architecture passes in registers are available. */
static bool raw_argument(struct arena *a, const char *name, size_t number, struct debug_variable *out)
{
	struct location_step *step;

	*out = (struct debug_variable){ .name = name, .type = &long_type, .is_parameter = true,
					.source = "calling convention" };
	out->location.kind = LOCATION_IS_VALUE;
	step = vec_add(a, &out->location.steps);
	*step = (struct location_step){ .op = LOCATION_GIVEN, .value = 8 * ((int64_t)number - 1) };
	return true;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	debug_variables all = { 0 };
	size_t number = argument_number(name);
	bool known;

	*out = (struct site_variable){ .type = TYPE_STRING };
	if (str_equal(name, "$name"))
		out->get = "tap_tracepoint_name(c)";
	else if (str_equal(name, "$system"))
		out->get = "tap_tracepoint_system(c)";
	if (out->get)
		return true;
	known = arguments(site, &all, sites);
	vec_each(v, &all)
		if (str_equal(v->name, name) || number == (size_t)(v - all.items) + 1) {
			out->debug = *v;
			return true;
		}
	if (!known && number && number <= RAW_ARGUMENTS)
		return raw_argument(sites->arena, name, number, &out->debug);
	if (known)
		sites_reason(sites, "tracepoint '%s' has no argument '%s'", site->symbol, name);
	return false;
}

static void variables(const struct site *site, unsigned what, site_variables *out, struct sites *sites)
{
	debug_variables all = { 0 };

	if (!(what & VARIABLES_PARAMETERS))
		return;
	arguments(site, &all, NULL);
	vec_each(v, &all)
		*vec_add(sites->arena, out) = (struct site_variable){ .debug = *v };
}

/* ---- rows ---- */

static bool groups(const struct site *site, const struct site *other)
{
	return str_equal(site->name, other->name);
}

static int compare_sites(const void *a, const void *b)
{
	return strcmp((*(const struct site *const *)a)->symbol, (*(const struct site *const *)b)->symbol);
}

/* A function with the type of the tracepoint's probes; NULL if it cannot be written. */
static const struct row_function *typed_function(const debug_variables *all, struct arena *a)
{
	struct row_function *f = arena_new(a, struct row_function);
	struct text before, parameters, words;

	text_init(&before, a);
	text_init(&parameters, a);
	text_init(&words, a);
	vec_each(v, all) {
		const char *name = arena_printf(a, "a%zu", (size_t)(v - all->items));
		const char *parameter = exact_parameter(&before, v->type, name);

		if (!parameter)
			return NULL;
		text_printf(&parameters, ", %s", parameter);
		text_printf(&words, "(u64)%s, ", name);
	}
	text_add(&before, "static void ");
	f->before = before.s;
	f->after = arena_printf(a, "(void *data%s)\n{\n\tu64 given[] = { %s};\n\n"
				"\ttap_tracepoint_hit(data, given);\n}\n", parameters.s, words.s);
	return f;
}

static struct tap_tracepoint row_point(const struct site *s, struct arena *a)
{
	debug_variables all = { 0 };
	bool known = arguments(s, &all, NULL);
	bool typed = known && all.n && ((const struct tracepoint_site *)s->data)->typed;

	return (struct tap_tracepoint){
		.site = { .symbol = s->symbol, .shown = s->shown }, .module = s->module,
		.arguments = !known ? RAW_ARGUMENTS : all.n < TAP_MOST_ARGUMENTS ? (u32)all.n : TAP_MOST_ARGUMENTS,
		.typed = typed ? typed_function(&all, a) : NULL };
}

static const void *describe(const struct site *const *sites, size_t n, struct arena *a)
{
	const struct site **sorted = arena_array(a, const struct site *, n);
	struct tap_tracepoint *points = arena_array(a, struct tap_tracepoint, n);
	struct tap_tracepoints *row = arena_new(a, struct tap_tracepoints);

	memcpy(sorted, sites, n * sizeof(*sites));
	qsort(sorted, n, sizeof(*sorted), compare_sites);
	for (size_t i = 0; i < n; i++)
		points[i] = row_point(sorted[i], a);
	row->points = points;
	row->count = (u32)n;
	return row;
}

const struct probe_family tracepoint_family = {
	.name = "tracepoint",
	.synonym = "tracepoint",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_tracepoint",
	.where = &layout,
	.describe = describe,
	.groups = groups,
	.variable = variable,
	.variables = variables,
	.by = { "tracepoint", 126, false },
	.site_bytes = 128,
	.session_bytes = 1024,
};
