/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints: each is a variable __tracepoint_NAME, with a function __traceiter_NAME, which kernels that list no
 * variables (no CONFIG_KALLSYMS_ALL) have, too. What its arguments are tells BTF, by the function
 * __traceiter_NAME that calls the probes (names and types), else by the typedef btf_trace_NAME (types
 * alone). Its system is told by ftrace of the running kernel; else it is read from the image, where
 * event_NAME leads to it, and kept. A module is taken at its word when it has tracepoints of one system
 * only, for in its file all pointers are still to be filled in. */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/chain.h"
#include "debuginfo/image.h"
#include "debuginfo/kept.h"
#include "debuginfo/tracefs.h"
#include "map.h"
#include "text.h"
#include "util.h"

#define VARIABLE "__tracepoint_"
#define FUNCTION "__traceiter_"

/* ---- systems ---- */

struct event_layout {
	uint64_t class, system;		/* offsets of trace_event_call.class, trace_event_class.system */
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

static bool pointer_at(const struct image *image, uint64_t address, uint64_t *value)
{
	const uint8_t *p = image_at(image, address, 8);

	*value = p ? load64(p) : 0;
	return *value != 0;
}

/* "sched" by the event at ADDRESS; NULL when something on the way is not in the image. */
static const char *system_of_event(const struct image *image, const struct event_layout *layout,
				   uint64_t address)
{
	enum { LONGEST = 64 };
	uint64_t class, name;
	const char *text;

	if (!pointer_at(image, address + layout->class, &class) ||
	    !pointer_at(image, class + layout->system, &name))
		return NULL;
	text = (const char *)image_at(image, name, LONGEST);
	return text && *text && memchr(text, '\0', LONGEST) ? text : NULL;
}

/* Lines "system:name", as ftrace has them. */
static const char *events_of_image(struct debuginfo *d, const struct image *image)
{
	struct symbols events = { 0 };
	struct event_layout layout;
	struct text lines;

	text_init(&lines, d->arena);
	if (!member_offset(d, "struct trace_event_call", "class", &layout.class) ||
	    !member_offset(d, "struct trace_event_class", "system", &layout.system) ||
	    debuginfo_data(d, "event_*", &events) != DEBUGINFO_FOUND)
		return "";
	vec_each(e, &events.list) {
		const char *system = system_of_event(image, &layout, e->address);

		if (system)
			text_printf(&lines, "%s:%s\n", system, e->name + strlen("event_"));
	}
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

/* From names to systems. */
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

/* The symbols of tracepoints; *BEFORE: what stands before the names in theirs. */
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

/* ---- arguments ---- */

/* By the function that calls the probes: its first parameter is theirs, not the tracepoint's. */
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
				.is_parameter = true, .source = t->backend->name };
	return true;
}

/* One word each; where a struct of several is passed, what is behind it is not found. */
static void place_arguments(struct arena *a, debug_variables *list)
{
	bool lost = false;

	for (size_t i = 0; i < list->n; i++) {
		struct debug_variable *v = &list->items[i];
		const struct debug_type *real = debug_type_real(v->type);

		lost |= !real->size || real->size > 8;
		v->location = (struct location){ .kind = LOCATION_IS_VALUE };
		if (lost)
			v->location = location_nowhere("an argument of several words is passed");
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
			arena_printf(d->arena, "BTF does not tell the arguments of tracepoint '%s'", name));
	place_arguments(d->arena, out);
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}
