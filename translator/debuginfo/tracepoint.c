/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints. Each is a variable __tracepoint_NAME and a function __traceiter_NAME, which is also listed
 * by kernels that list no variables (no CONFIG_KALLSYMS_ALL). Arguments come from BTF: from the function
 * __traceiter_NAME, which calls the probes (names and types), or from the typedef btf_trace_NAME (types
 * only). The system comes from ftrace of the running kernel, or is read from the image, where event_NAME
 * leads to it, and kept. If a kernel lists no variables, the image's relocations lead from the function
 * trace_event_raw_event_CLASS to the class, and from there to its events. The system of a module is only
 * known if all its tracepoints have the same one, because the pointers in its file are not filled in yet. */
#include "tracepoint.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/chain.h"
#include "debuginfo/symbols/image.h"
#include "debuginfo/kept.h"
#include "debuginfo/symbols/symtab.h"
#include "debuginfo/symbols/tracefs.h"
#include "base/map.h"
#include "base/text.h"
#include "base/util.h"
#include "location.h"
#include "debuginfo/symbols/files.h"
#include "debuginfo/symbols/kallsyms.h"
#include "debuginfo/symbols/symbols.h"
#include "type_name.h"

#define VARIABLE "__tracepoint_"
#define FUNCTION "__traceiter_"

/* ---- systems ---- */

/* Member offsets in structures of the kernel. */
struct event_layout {
	uint64_t class, tracepoint;	/* trace_event_call */
	uint64_t system, probe;		/* trace_event_class */
	uint64_t name;			/* tracepoint */
};

static bool member_offset(struct debuginfo *d, const char *type, const char *member, uint64_t *offset)
{
	const struct debug_type *t;
	struct debug_member m;

	if (debuginfo_type(d, type, &t) != DEBUGINFO_FOUND || !debug_type_member(t, member, &m))
		return false;
	*offset = m.offset;
	return true;
}

static bool event_layout(struct debuginfo *d, struct event_layout *l)
{
	return member_offset(d, "struct trace_event_call", "class", &l->class) &&
	       member_offset(d, "struct trace_event_call", "tp", &l->tracepoint) &&
	       member_offset(d, "struct trace_event_class", "system", &l->system) &&
	       member_offset(d, "struct trace_event_class", "probe", &l->probe) &&
	       member_offset(d, "struct tracepoint", "name", &l->name);
}

static const char *text_at(const struct image *image, uint64_t address)
{
	enum { LONGEST = 64 };
	const char *text = address ? (const char *)image_at(image, address, LONGEST) : NULL;

	return text && *text && memchr(text, '\0', LONGEST) ? text : NULL;
}

/* The system, such as "sched", of the event at ADDRESS; NULL if a pointer leads out of the image. */
static const char *system_of_event(const struct image *image, const struct event_layout *layout,
				   uint64_t address)
{
	uint64_t class = image_pointer(image, address + layout->class);

	return class ? text_at(image, image_pointer(image, class + layout->system)) : NULL;
}

static void add_event(struct text *lines, const char *system, const char *name)
{
	if (system && name)
		text_printf(lines, "%s:%s\n", system, name);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

typedef VEC(uint64_t) numbers;

static bool has_number(const numbers *sorted, uint64_t n)
{
	return sorted->n && bsearch(&n, sorted->items, sorted->n, sizeof(n), compare_numbers);
}

static void sort_numbers(numbers *l)
{
	if (l->n)
		qsort(l->items, l->n, sizeof(*l->items), compare_numbers);
}

/* A structure with a pointer to a probe of events is a class, and a structure with a pointer to a
 * class is an event. */
static void events_by_relocations(struct debuginfo *d, const struct image *image, const struct event_layout *layout,
				  const struct symbol_list *symbols, struct text *lines)
{
	size_t n = image->relocations.size / sizeof(Elf64_Rela);
	const Elf64_Rela *relocations = (const void *)image->relocations.data;
	numbers probes = { 0 }, classes = { 0 };

	vec_each(s, &symbols->symbols)
		if (str_starts(raw_symbol_name(symbols, s), "trace_event_raw_event_"))
			*vec_add(d->arena, &probes) = s->address;
	sort_numbers(&probes);
	for (size_t i = 0; i < n; i++)
		if (has_number(&probes, (uint64_t)relocations[i].r_addend))
			*vec_add(d->arena, &classes) = relocations[i].r_offset - layout->probe;
	sort_numbers(&classes);
	for (size_t i = 0; i < n; i++) {
		uint64_t event = relocations[i].r_offset - layout->class, tracepoint;

		if (!has_number(&classes, (uint64_t)relocations[i].r_addend))
			continue;
		tracepoint = image_pointer(image, event + layout->tracepoint);
		if (tracepoint)
			add_event(lines, system_of_event(image, layout, event),
				  text_at(image, image_pointer(image, tracepoint + layout->name)));
	}
}

/* Lines of "system:name", the format of ftrace. */
static const char *events_of_image(struct debuginfo *d, struct image *image)
{
	struct symbols events = { 0 };
	struct symbol_list symbols;
	struct event_layout layout;
	const char *reason;
	struct text lines;

	text_init(&lines, d->arena);
	symbol_list_init(&symbols, d->arena);
	if (!event_layout(d, &layout) ||
	    (!image->sections && kallsyms_decode(d->arena, image, &symbols, &reason) != DEBUGINFO_FOUND))
		return "";
	if (debuginfo_data(d, "event_*", &events) == DEBUGINFO_FOUND)
		vec_each(e, &events.list)
			add_event(&lines, system_of_event(image, &layout, e->address), e->name + strlen("event_"));
	else if (image->relocations.size)
		events_by_relocations(d, image, &layout, &symbols, &lines);
	return lines.s;
}

static const char *read_image(struct debuginfo *d)
{
	const char *path = debug_image_path(d), *reason, *lines;
	struct image image;

	if (!path)
		path = kernel_image_path(d);
	if (!path)
		return "";
	debuginfo_progress(d, arena_printf(d->arena, "reading the tracepoints of %s", path));
	if (image_open(d->arena, path, &image, &reason) != DEBUGINFO_FOUND)
		return "";
	lines = events_of_image(d, &image);
	image_close(&image);
	return lines;
}

static const char *kept_events(struct debuginfo *d, const char *path)
{
	struct kept_file kept;
	const char *lines = NULL;

	if (path && kept_open(&kept, path)) {
		lines = arena_strndup(d->arena, (const char *)kept.content.data, kept.content.size);
		kept_close(&kept);
	}
	return lines;
}

static const char *kernel_events(struct debuginfo *d)
{
	const char *path = debuginfo_kept_path(d, "events"), *lines = NULL;

	if (d->request.is_running_kernel)
		lines = tracefs_events(d->arena, d->request.sysroot);
	if (!lines)
		lines = kept_events(d, path);
	if (lines)
		return lines;
	lines = read_image(d);
	if (*lines && path && dir_make(d->request.cache, 0700))
		kept_save(path, lines, strlen(lines));
	return lines;
}

/* Map event names to systems. */
static void map_events(struct debuginfo *d, struct map *systems)
{
	const char *p = kernel_events(d);

	map_init(systems, d->arena);
	while (*p) {
		const char *end = strchrnul(p, '\n'), *colon = memchr(p, ':', (size_t)(end - p));

		if (colon)
			map_set(systems, arena_strndup(d->arena, colon + 1, (size_t)(end - colon - 1)),
				arena_strndup(d->arena, p, (size_t)(colon - p)));
		p = *end ? end + 1 : end;
	}
}

static const char *only_system(struct debuginfo *d)
{
	static const char before[] = "str__", after[] = "__trace_system_name";
	struct symbols found = { 0 };
	const char *name;

	if (debuginfo_data(d, "str__*__trace_system_name", &found) != DEBUGINFO_FOUND || found.list.n != 1)
		return NULL;
	name = found.list.items[0].name + strlen(before);
	return arena_strndup(d->arena, name, strlen(name) - strlen(after));
}

/* ---- tracepoints ---- */

/* The symbols of tracepoints; *BEFORE: the prefix of their names. */
static enum debuginfo_answer find_symbols(struct debuginfo *d, const char *pattern, struct symbols *found,
					  const char **before)
{
	enum debuginfo_answer answer;

	*before = VARIABLE;
	answer = debuginfo_data(d, arena_printf(d->arena, VARIABLE "%s", pattern), found);
	if (answer != DEBUGINFO_ABSENT)
		return answer;
	*before = FUNCTION;
	return debuginfo_functions(d, arena_printf(d->arena, FUNCTION "%s", pattern), found);
}

enum debuginfo_answer debuginfo_tracepoints(struct debuginfo *d, const char *pattern,
					    struct tracepoints *found)
{
	struct symbols symbols = { 0 };
	const char *system = NULL, *last = "", *before;
	enum debuginfo_answer answer;
	struct map systems;

	answer = find_symbols(d, pattern, &symbols, &before);
	if (answer == DEBUGINFO_ABSENT)
		return debuginfo_answered(d, answer, arena_printf(d->arena, "%s has no tracepoint '%s'",
			d->module ? d->module : "the kernel", pattern));
	if (answer != DEBUGINFO_FOUND)
		return answer;
	if (d->module)
		system = only_system(d);
	else
		map_events(d, &systems);
	vec_each(s, &symbols.list) {
		const char *name = s->name + strlen(before);

		if (str_equal(name, last))
			continue;
		last = name;
		*vec_add(d->arena, &found->list) = (struct tracepoint){
			name, d->module ? system : map_get(&systems, name), d->module };
	}
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}

const char *debuginfo_suggest_tracepoint(struct debuginfo *d, const char *name)
{
	struct tracepoints all = { 0 };
	name_list names = { 0 };

	if (debuginfo_tracepoints(d, "*", &all) != DEBUGINFO_FOUND)
		return NULL;
	vec_each(t, &all.list)
		*vec_add(d->arena, &names) = t->name;
	return nearest_name(name, names.items, names.n);
}

/* ---- arguments ---- */

/* The arguments of the function that calls the probes, without its first parameter, which is the probe's data. */
static bool by_function(struct debuginfo *d, const char *name, debug_variables *out)
{
	struct debug_place p = { .image = d, .at_entry = true,
				 .function = arena_printf(d->arena, FUNCTION "%s", name) };
	const char *reason;
	debug_variables all = { 0 };

	if (btf_backend.variables(&p, VARIABLES_PARAMETERS, &all, &reason) != DEBUGINFO_FOUND)
		return false;
	for (size_t i = 1; i < all.n; i++)
		*vec_add(d->arena, out) = all.items[i];
	return all.n > 0;
}

static bool by_typedef(struct debuginfo *d, const char *name, debug_variables *out)
{
	const struct debug_type *t, *argument;
	const char *ignored;

	if (debuginfo_type(d, arena_printf(d->arena, "btf_trace_%s", name), &t) != DEBUGINFO_FOUND)
		return false;
	t = debug_type_target(debug_type_real(t));
	if (!t || t->kind != DEBUG_FUNCTION)
		return false;
	for (size_t i = 1; i < debug_type_parameter_count(t); i++)
		if (debug_type_parameter_at(t, i, &ignored, &argument) && argument)
			*vec_add(d->arena, out) = (struct debug_variable){
				.name = arena_printf(d->arena, "arg%zu", i), .type = argument,
				.is_parameter = true, .source = t->reader->name };
	return true;
}

/* Each argument is one word; the arguments after a struct of several words cannot be located. */
static void place_arguments(struct arena *a, debug_variables *list)
{
	bool lost = false;

	for (size_t i = 0; i < list->n; i++) {
		struct debug_variable *v = &list->items[i];
		const struct debug_type *real = debug_type_real(v->type);

		lost |= !real->size || real->size > 8;
		v->location = (struct location){ .kind = LOCATION_IS_VALUE };
		if (lost)
			v->location = location_nowhere("an argument before it has several words");
		else
			location_add(a, &v->location, LOCATION_GIVEN, (int64_t)(8 * i));
		if (!lost)
			location_extend(a, &v->location, v->type);
	}
}

enum debuginfo_answer debuginfo_tracepoint_arguments(struct debuginfo *d, const char *name,
						     debug_variables *out)
{
	if (!by_function(d, name, out) && !by_typedef(d, name, out))
		return debuginfo_answered(d, DEBUGINFO_ABSENT,
			arena_printf(d->arena, "BTF does not describe the arguments of tracepoint '%s'", name));
	place_arguments(d->arena, out);
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}
