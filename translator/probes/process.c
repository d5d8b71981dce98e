/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process("path"), process(PID) and process (the one of -c or -x): places in the program
 * (functions, statements, plt, static markers) and in the libraries it uses, and the start, end and
 * system calls of its processes. Places are kept as offsets in the file, with its build-id. */
#include "points/family.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/program/program.h"
#include "source/diag.h"
#include "source/options.h"
#include "points/place_row.h"
#include "points/program_files.h"
#include "debuginfo/images.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/program/entry.h"
#include "debuginfo/program/facts.h"
#include "debuginfo/program/go.h"
#include "debuginfo/program/mark.h"
#include "debuginfo/program/name.h"
#include "debuginfo/program/plt.h"
#include "debuginfo/program/returns.h"

enum {
	KIND_LIFE = KIND_OWN << 0,	/* not a place in a file; the upper bits are an enum tap_process_kind */
	KIND_PLT = KIND_OWN << 1,
	KIND_MARK = KIND_OWN << 2,
	LIFE_SHIFT = 24,
};
#define LIFE(kind) (KIND_LIFE | TAP_PROCESS_##kind << LIFE_SHIFT)

#define FILE_SHAPES(image, whose) \
	PLACE_SHAPES(image, whose, KIND_NO_STACK), \
	{ image ".plt", "calls into other files, by name", KIND_PLT | KIND_CALL }, \
	{ image ".plt(string)", "calls into other files, by name", KIND_PLT | KIND_CALL }, \
	{ image ".plt.return", "return from calls into other files", KIND_PLT | KIND_RETURN }, \
	{ image ".plt(string).return", "return from calls into other files", KIND_PLT | KIND_RETURN }, \
	{ image ".mark(string)", "static markers (sys/sdt.h)", KIND_MARK }, \
	{ image ".provider(string).mark(string)", "static markers of a provider", KIND_MARK }

#define PROCESS_SHAPES(process) \
	FILE_SHAPES(process, "a program's"), \
	FILE_SHAPES(process ".library(string)", "a library's"), \
	{ process ".begin", "a process begins, or runs another program", LIFE(BEGIN) }, \
	{ process ".end", "a process ends", LIFE(END) }, \
	{ process ".thread.begin", "a thread begins", LIFE(THREAD_BEGIN) }, \
	{ process ".thread.end", "a thread ends", LIFE(THREAD_END) }, \
	{ process ".syscall", "a process makes a system call", LIFE(SYSCALL) }, \
	{ process ".syscall.return", "a system call returns", LIFE(SYSCALL_RETURN) }

static const struct point_shape shapes[] = {
	PROCESS_SHAPES("process"),
	PROCESS_SHAPES("process(string)"),
	PROCESS_SHAPES("process(number)"),
	{ NULL, NULL, 0 },
};

static const struct row_layout return_layout = ROW_LAYOUT(tap_user_return,
	ROW_MEMBER(tap_user_return, at));

static const struct row_layout go_layout = ROW_LAYOUT(tap_go,
	ROW_MEMBER(tap_go, storage),
	ROW_MEMBER(tap_go, number));

static const struct row_layout site_layout = ROW_LAYOUT(tap_user_site,
	ROW_STRUCT(tap_user_site, site, &row_site),
	ROW_HEX(tap_user_site, address),
	ROW_HEX(tap_user_site, counter),
	ROW_MEMBER(tap_user_site, pad),
	ROW_MEMBER(tap_user_site, second),
	ROW_MEMBER(tap_user_site, goroutine),
	ROW_TABLE(tap_user_site, returns, return_count, &return_layout),
	ROW_MEMBER(tap_user_site, return_count));

static const struct row_layout layout = ROW_LAYOUT(tap_process,
	ROW_MEMBER(tap_process, kind),
	ROW_MEMBER(tap_process, pid),
	ROW_MEMBER(tap_process, path),
	ROW_MEMBER(tap_process, within),
	ROW_MEMBER(tap_process, count),
	ROW_TABLE(tap_process, sites, count, &site_layout),
	ROW_POINTER(tap_process, go, &go_layout),
	PLACE_ROW_PROGRAM);

const struct probe_family process_family;

#define is_kind place_search_is

/* The family's data of a site. */
struct process_site {
	const char *path;		/* of the file, on the target machine; NULL: any process */
	const char *within;		/* path of the program whose processes are probed; NULL: any */
	int64_t pid;
	struct debuginfo *image;	/* of path */
	uint64_t file_offset, address;
	uint64_t counter;		/* offset in the file of the marker's semaphore; 0: none */
	uint8_t pad;			/* from the address to the probed instruction */
	uint8_t second;			/* from the address to the second nop of a marker; 0: none */
	enum tap_goroutine goroutine;	/* NONE also if the code is not Go's */
	program_returns returns;	/* Go: these instructions are probed instead of the return address */
	const struct program_mark *mark;
	const struct place_callers *callers;	/* NULL: any caller */
};

/* One file being searched. */
struct process_search {
	struct place_search search;	/* must be the first member */
	struct process_site common;
	const char *shown;		/* argument of the component process(...) or library(...) */
};

static const struct process_site *site_data(const struct site *s)
{
	return s->data;
}

/* ---- files ---- */

/* The programs that the point's first component names. ANY: the point needs no program. */
static bool find_programs(const struct point *point, struct sites *sites, struct process_site *common,
			  bool any, program_files *out)
{
	const struct point_component *c = &point->components.items[0];
	const struct options *o = sites->options;

	if (c->has_argument && !c->is_string)
		common->pid = c->number;
	if (any && common->pid)
		return program_is_pid(sites, c->number);
	if (any && !c->has_argument && !o->command && !o->pid)
		return true;
	return program_find_process(sites, c, out);
}

/* ---- sites ---- */

/* A library, which any program may load. It is recognized by its name, because position-independent
 * programs have the same ELF type. */
static bool is_loaded(const char *path)
{
	return strstr(path_base(path), ".so");
}

static struct site *add_site(struct process_search *s, const char *symbol, uint64_t address, bool is_entry)
{
	struct place_search *search = &s->search;
	struct arena *a = search->sites->arena;
	struct process_site *data = arena_new(a, struct process_site);
	bool is_library = point_component(search->point, "library");
	const char *refused;
	struct site *site;

	*data = s->common;
	data->image = search->image;
	data->address = address;
	data->pad = is_entry ? program_pad(search->image, address) : 0;
	data->callers = search->callers;
	if (!program_file_offset(search->image, address, &data->file_offset)) {
		search->sites->skipped++;
		sites_reason(search->sites, "'%s' has no code in the file", symbol);
		return NULL;
	}
	refused = program_unprobed(search->image, address + data->pad);
	if (refused) {
		search->sites->skipped++;
		sites_reason(search->sites, "the kernel cannot place a breakpoint on the instruction at 0x%llx of '%s', because "
			     "it has the prefix '%s'", (unsigned long long)address, symbol, refused);
		return NULL;
	}
	site = site_add(search->sites, &process_family, search->point, search->shape);
	site->symbol = symbol;
	site->in_user = true;
	site->data = data;
	site->program = data->within ? data->within : is_loaded(data->path) ? NULL : data->path;
	site->name = place_site_name(search, is_library ? "library" : "process", s->common.path, NULL);
	site->shown = symbol;
	return site;
}

/* The name of SITE, with REST in place of its component NAME and all that follows. */
static const char *name_with(struct arena *a, const struct site *site, const char *name, const char *rest)
{
	const char *end = strstr(site->name, name), *next;

	while (end && (next = strstr(end + 1, name)))
		end = next;
	return end ? arena_printf(a, "%.*s%s", (int)(end - site->name), site->name, rest) : site->name;
}

/* SHOWN, which begins with NAME, with C++ names demangled. */
static const char *readable(struct arena *a, const char *shown, const char *name)
{
	const char *plain = name && str_starts(shown, name) ? program_demangle(a, name) : NULL;

	return plain ? arena_printf(a, "%s%s", plain, shown + strlen(name)) : shown;
}

/* Warns of IFUNC names that do not mean what they seem to. */
static void warn_of_choice(const struct place_search *s, const struct debug_place *p)
{
	struct span at = s->point->span;

	if (s->wild)
		return;
	if (p->symbol.flags & SYMBOL_CHOOSER)
		diag_warn(at, "'%s' only selects an implementation when a program is loaded (IFUNC), and the candidates "
			  "are not known: probe them by their own names", p->function);
	else if (p->chosen_outside)
		diag_warn(at, "'%s' is mostly handled in the vDSO, which cannot be probed: only calls of "
			  "'%s' are probed",
			  p->chosen_as, p->function);
}

/* The return instructions of a function of Go; false with a reason: they are not known, or cannot be probed. */
static bool find_returns(struct place_search *search, const struct debug_place *place, program_returns *out)
{
	const char *why = program_find_returns(search->image, &place->symbol, out);

	vec_each(at, out)
		if (!why)
			why = program_unprobed(search->image, place->symbol.address + *at) ?
			      "has a return instruction that the kernel cannot probe" : NULL;
	if (!why && program_goroutine(search->image, &place->symbol) == TAP_GOROUTINE_NONE)
		why = "keeps its goroutine at a place that is not known";
	if (!why)
		return true;
	search->sites->skipped++;
	if (!search->wild)
		sites_reason(search->sites, "'%s' %s", place->function, why);
	return false;
}

static void add_place(struct place_search *search, const struct debug_place *place)
{
	struct process_search *s = (struct process_search *)search;
	bool is_library = point_component(search->point, "library");
	bool is_go = place->symbol.name && program_is_go(search->image, (uint64_t)place->entry);
	program_returns returns = { 0 };
	struct process_site *data;
	struct site *site;

	if (is_go && place->at_return && !find_returns(search, place, &returns))
		return;
	site = add_site(s, place->symbol.name, (uint64_t)place->offset, place->offset == place->entry);
	if (!site)
		return;
	data = (struct process_site *)site->data;
	data->returns = returns;
	if (is_go)
		data->goroutine = program_goroutine(search->image, &place->symbol);
	if (is_go && !search->wild && place->at_entry && program_loops_to_entry(search->image, &place->symbol))
		diag_warn(search->point->span, "'%s' jumps back to its first instruction: each round of that loop is a hit",
			  place->function);
	warn_of_choice(search, place);
	site->name = place_site_name(search, is_library ? "library" : "process", s->common.path, place->label);
	site->shown = readable(search->sites->arena, place_shown(search, place), place->function);
	site->place = place;
	site->flags = place_site_flags(search, place);
}

static bool number_offset(struct place_search *s, const char **section, int64_t *offset)
{
	*section = NULL;
	*offset = (int64_t)s->number;
	return true;
}

/* The debug information at ADDRESS, or at least the image. */
static const struct debug_place *place_at(struct process_search *s, uint64_t address)
{
	struct debug_place *p = arena_new(s->search.sites->arena, struct debug_place);

	if (debuginfo_place_at(s->search.image, NULL, (int64_t)address, p) != DEBUGINFO_FOUND)
		*p = (struct debug_place){ .image = s->search.image, .offset = (int64_t)address };
	return p;
}

/* ---- .plt ---- */

static bool add_plts(struct process_search *s)
{
	const struct point_component *c = point_component(s->search.point, "plt");
	const char *pattern = c->has_argument ? c->text : "*";
	struct sites *sites = s->search.sites;
	struct program_plts found = { 0 };
	size_t before = sites->list.n;

	if (program_plts(s->search.image, pattern, &found) != DEBUGINFO_FOUND) {
		sites_reason(sites, "%s", debuginfo_reason(s->search.image));
		return false;
	}
	vec_each(plt, &found.list) {
		struct site *site = add_site(s, plt->name, plt->address, false);
		struct debug_place *p = arena_new(sites->arena, struct debug_place);

		if (!site)
			continue;
		/* The arguments are where the calling convention has them. */
		*p = (struct debug_place){ .image = s->search.image, .function = plt->name,
					   .offset = (int64_t)plt->address, .entry = (int64_t)plt->address,
					   .at_entry = is_kind(&s->search, KIND_CALL),
					   .at_return = is_kind(&s->search, KIND_RETURN) };
		site->place = p;
		site->name = name_with(sites->arena, site, ".plt", p->at_return ? ".plt(\"\1\").return" :
				       ".plt(\"\1\")");
		site->flags = (p->at_return ? TAP_PROBE_RETURN : 0) | (is_glob(pattern) ? TAP_PROBE_SITES : 0);
	}
	return sites->list.n > before;
}

/* ---- .mark ---- */

static bool note_marks(struct process_search *s, const char *pattern)
{
	struct sites *sites = s->search.sites;
	struct program_marks all = { 0 };
	const char **names, *near;

	sites_reason(sites, "%s", debuginfo_reason(s->search.image));
	if (program_marks(s->search.image, NULL, "*", &all) != DEBUGINFO_FOUND)
		return false;
	names = arena_array(sites->arena, const char *, all.list.n);
	for (size_t i = 0; i < all.list.n; i++)
		names[i] = all.list.items[i].name;
	near = nearest_name(pattern, names, all.list.n);
	if (near && !str_equal(near, pattern))
		sites_reason(sites, "did you mean '%s'?", near);
	return false;
}

static bool add_marks(struct process_search *s)
{
	const struct point *point = s->search.point;
	const struct point_component *provider = point_component(point, "provider");
	const char *pattern = point_component(point, "mark")->text;
	struct program_marks *found = arena_new(s->search.sites->arena, struct program_marks);
	struct arena *a = s->search.sites->arena;
	size_t before = s->search.sites->list.n;

	if (program_marks(s->search.image, provider ? provider->text : NULL, pattern, found) != DEBUGINFO_FOUND)
		return note_marks(s, pattern);
	vec_each(m, &found->list) {
		struct site *site = add_site(s, m->name, m->address, false);
		struct process_site *data;

		if (!site)
			continue;
		data = (struct process_site *)site->data;
		data->mark = m;
		data->counter = m->semaphore;
		data->second = program_second_nop(s->search.image, m->address);
		site->place = place_at(s, m->address);
		site->name = name_with(a, site, provider ? ".provider" : ".mark",
				       provider ? arena_printf(a, ".provider(\"%s\").mark(\"\1\")", m->provider) :
						  ".mark(\"\1\")");
		site->flags = is_glob(pattern) ? TAP_PROBE_SITES : 0;
	}
	return s->search.sites->list.n > before;
}

static const struct debug_type *type_of_argument(const struct program_argument *a)
{
	static const struct debug_type types[2][9] = {
#define TYPES(sign) { \
	[1] = { .kind = DEBUG_INT, .name = "char", .size = 1, .is_signed = sign }, \
	[2] = { .kind = DEBUG_INT, .name = "short", .size = 2, .is_signed = sign }, \
	[4] = { .kind = DEBUG_INT, .name = "int", .size = 4, .is_signed = sign }, \
	[8] = { .kind = DEBUG_INT, .name = "long", .size = 8, .is_signed = sign } }
		TYPES(false), TYPES(true),
	};

	return &types[a->is_signed][a->size <= 8 && types[0][a->size].size ? a->size : 8];
}

static struct debug_variable argument_variable(struct arena *arena, const struct program_argument *a, size_t n)
{
	return (struct debug_variable){
		.name = arena_printf(arena, "arg%zu", n + 1), .type = type_of_argument(a),
		.location = a->location, .is_parameter = true, .source = "static marker",
	};
}

static bool text_variable(struct arena *a, const char *text, struct site_variable *out)
{
	struct text t;

	text_init(&t, a);
	text_add(&t, "TAP_STRING(\"");
	text_c_escape(&t, text, strlen(text));
	text_add(&t, "\")");
	out->get = t.s;
	out->type = TYPE_STRING;
	return true;
}

/* The N of "argN", counted from 0. */
static bool argument_number(const char *name, size_t *n)
{
	char *end;

	if (strncmp(name, "arg", 3) || name[3] < '1' || name[3] > '9')
		return false;
	*n = strtoul(name + 3, &end, 10) - 1;
	return !*end;
}

static bool mark_variable(const struct program_mark *m, const char *name, struct site_variable *out,
			  struct sites *sites)
{
	size_t n;

	if (str_equal(name, "$name"))
		return text_variable(sites->arena, m->name, out);
	if (str_equal(name, "$provider"))
		return text_variable(sites->arena, m->provider, out);
	if (!argument_number(name, &n))
		return false;
	if (n >= m->arguments.n) {
		sites_reason(sites, "the marker has %zu argument%s", m->arguments.n, m->arguments.n == 1 ? "" : "s");
		return false;
	}
	if (m->arguments.items[n].is_float) {
		sites_reason(sites, "the argument is a floating point number (%s)", m->arguments.items[n].text);
		return false;
	}
	out->debug = argument_variable(sites->arena, &m->arguments.items[n], n);
	return true;
}

/* ---- system calls ---- */

enum { CALL_ARGUMENTS = 6 };

static bool is_life(const struct site *s, int kind)
{
	return s->shape->what & KIND_LIFE && s->shape->what >> LIFE_SHIFT == kind;
}

static bool call_variable(const struct site *s, const char *name, struct site_variable *out,
			  struct sites *sites)
{
	bool at_return = is_life(s, TAP_PROCESS_SYSCALL_RETURN);
	size_t n;

	out->type = TYPE_LONG;
	if (str_equal(name, "syscall"))
		out->get = "tap_syscall_number(c)";
	else if (str_equal(name, "compat"))
		out->get = "tap_syscall_compat(c)";
	else if (at_return && str_equal(name, "return"))
		out->get = "tap_syscall_result(c)";
	else if (!at_return && argument_number(name, &n) && n < CALL_ARGUMENTS)
		out->get = arena_printf(sites->arena, "tap_syscall_argument(c, %zu)", n);
	else
		sites_reason(sites, at_return ? "a system call has $syscall, $compat and $return" :
			     "a system call has $syscall, $compat and $arg1 to $arg6");
	return out->get;
}

static bool variable(const struct site *s, const char *name, struct site_variable *out, struct sites *sites)
{
	if (is_life(s, TAP_PROCESS_SYSCALL) || is_life(s, TAP_PROCESS_SYSCALL_RETURN))
		return call_variable(s, name, out, sites);
	if (s->shape->what & KIND_PLT && str_equal(name, "$name")) {
		out->get = "tap_ppfunc(c)";
		out->type = TYPE_STRING;
		return true;
	}
	return site_data(s)->mark && mark_variable(site_data(s)->mark, name, out, sites);
}

static void call_variables(const struct site *s, site_variables *out, struct sites *sites)
{
	static const char *const entry[] = { "syscall", "compat", "arg1", "arg2", "arg3", "arg4", "arg5", "arg6" };
	static const char *const end[] = { "syscall", "compat", "return" };
	bool at_return = is_life(s, TAP_PROCESS_SYSCALL_RETURN);
	size_t n = at_return ? ARRAY_SIZE(end) : ARRAY_SIZE(entry);

	for (size_t i = 0; i < n; i++) {
		struct site_variable v = { .debug.name = at_return ? end[i] : entry[i] };

		if (call_variable(s, v.debug.name, &v, sites))
			*vec_add(sites->arena, out) = v;
	}
}

static void variables(const struct site *s, unsigned what, site_variables *out, struct sites *sites)
{
	const struct program_mark *m = site_data(s)->mark;

	if (is_life(s, TAP_PROCESS_SYSCALL) || is_life(s, TAP_PROCESS_SYSCALL_RETURN))
		call_variables(s, out, sites);
	for (size_t i = 0; m && what & VARIABLES_PARAMETERS && i < m->arguments.n; i++)
		if (!m->arguments.items[i].is_float)
			*vec_add(sites->arena, out) = (struct site_variable){
				.debug = argument_variable(sites->arena, &m->arguments.items[i], i) };
}

/* ---- points ---- */

static bool search_file(struct process_search *s, const char *path)
{
	struct place_search *search = &s->search;
	struct debuginfo *image = images_program(search->sites->images, path);
	struct program_facts facts;

	s->common.path = path;
	search->image = image;
	if (program_facts(image, &facts) != DEBUGINFO_FOUND) {
		sites_reason(search->sites, "%s", debuginfo_reason(image));
		return false;
	}
	if (is_kind(search, KIND_PLT))
		return add_plts(s);
	if (is_kind(search, KIND_MARK))
		return add_marks(s);
	return place_search_image(search, image);
}

static bool search_files(struct process_search *s, const program_files *paths)
{
	bool found = false;

	vec_each(path, paths)
		found |= search_file(s, *path);
	return found;
}

/* Search the library of each program; only the processes of that program are probed. */
static bool search_libraries(struct process_search *s, const program_files *programs)
{
	const struct point *point = s->search.point;
	const struct point_component *c = point_component(point, "library");
	bool found = false;

	vec_each(program, programs) {
		program_files libraries = { 0 };

		s->search.point = point_met(s->search.sites, point, "process", *program);
		s->common.within = *program;
		found |= program_find_library_of(s->search.sites, *program, c->text, &libraries) &&
			 search_files(s, &libraries);
	}
	return found;
}

static void add_life(const struct point *point, const struct point_shape *shape, struct sites *sites,
		     const struct process_site *common, const char *path)
{
	const struct point *met = path ? point_met(sites, point, "process", path) : point;
	struct site *site = site_add(sites, &process_family, met, shape);
	struct process_site *data = arena_new(sites->arena, struct process_site);

	*data = *common;
	data->path = data->within = path;
	site->data = data;
	site->program = path;
	site->in_user = true;
}

static bool resolve_life(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct process_site common = { 0 };
	program_files programs = { 0 };

	if (!find_programs(point, sites, &common, true, &programs))
		return false;
	vec_each(path, &programs)
		add_life(point, shape, sites, &common, *path);
	if (!programs.n)
		add_life(point, shape, sites, &common, NULL);
	return true;
}

static bool has_places(const struct point_shape *shape)
{
	return !(shape->what & (KIND_LIFE | KIND_PLT | KIND_MARK));
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct process_search s = { .search = { .point = point, .shape = shape, .sites = sites,
						.add = add_place, .offset = number_offset } };
	program_files programs = { 0 };

	if (shape->what & KIND_LIFE)
		return resolve_life(point, shape, sites);
	if (has_places(shape) && !place_search_begin(&s.search))
		return false;
	if (!find_programs(point, sites, &s.common, false, &programs))
		return false;
	s.search.wild |= programs.n > 1;
	if (point_component(point, "library"))
		return search_libraries(&s, &programs);
	return search_files(&s, &programs);
}

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && str_equal(a, b));
}

static bool groups(const struct site *site, const struct site *other)
{
	const struct process_site *a = site_data(site), *b = site_data(other);

	return same_text(a->path, b->path) && same_text(a->within, b->within) && a->pid == b->pid &&
	       str_equal(site->name, other->name);
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *s = *(const struct site *const *)a, *t = *(const struct site *const *)b;
	uint64_t x = site_data(s)->file_offset, y = site_data(t)->file_offset;

	if (x != y)
		return x < y ? -1 : 1;
	return strcmp(s->shown, t->shown);
}

/* An address may have several names: it is probed once, under the first of them. Exception: two
 * functions of which one is inlined into the other may begin at the same address, and both are probed. */
static bool is_same(const struct site *a, const struct site *b)
{
	bool is_inlined = a->place && b->place && (a->place->caller || b->place->caller);

	return site_data(a)->file_offset == site_data(b)->file_offset &&
	       !(is_inlined && !str_equal(a->shown, b->shown));
}

static const struct place_callers *callers_of(const struct site *s)
{
	return site_data(s)->callers;
}

static const struct tap_user_return *returns_of(const struct process_site *data, struct arena *a)
{
	struct tap_user_return *list = data->returns.n ? arena_array(a, struct tap_user_return, data->returns.n) : NULL;

	for (size_t i = 0; i < data->returns.n; i++)
		list[i].at = data->returns.items[i];
	return list;
}

static struct tap_user_site row_of_site(const struct site *s, const struct tap_callers *callers, struct arena *a)
{
	const struct process_site *data = site_data(s);

	return (struct tap_user_site){
		.site = { .symbol = s->symbol, .offset = (s64)data->file_offset, .shown = s->shown,
			  .callers = data->callers ? callers : NULL },
		.address = data->address, .counter = data->counter, .pad = data->pad,
		.second = data->second, .goroutine = data->goroutine,
		.returns = returns_of(data, a), .return_count = (u32)data->returns.n };
}

static const struct tap_go *row_go(struct debuginfo *image, struct arena *a)
{
	struct tap_go *go = arena_new(a, struct tap_go);
	int64_t storage;

	if (program_goroutine_storage(image, &storage))
		go->storage = storage;
	go->number = program_goroutine_number(image);
	return go;
}

static void row_sites(struct tap_process *row, const struct site *const *sites, size_t n, struct arena *a)
{
	const struct tap_callers *callers = place_row_callers(a, sites, n, callers_of);
	const struct site **sorted = arena_array(a, const struct site *, n);
	struct tap_user_site *list = arena_array(a, struct tap_user_site, n);

	memcpy(sorted, sites, n * sizeof(*sites));
	qsort(sorted, n, sizeof(*sorted), compare_sites);
	for (size_t i = 0; i < n; i++)
		if (!i || !is_same(sorted[i], sorted[i - 1]))
			list[row->count++] = row_of_site(sorted[i], callers, a);
	row->sites = list;
	for (size_t i = 0; i < n && !row->go; i++)
		if (site_data(sites[i])->goroutine)
			row->go = row_go(site_data(sites[i])->image, a);
}

static const void *describe(const struct site *const *sites, size_t n, struct arena *a)
{
	struct tap_process *row = arena_new(a, struct tap_process);
	const struct process_site *data = site_data(sites[0]);
	int what = sites[0]->shape->what;

	row->kind = what & KIND_LIFE ? (enum tap_process_kind)(what >> LIFE_SHIFT) : TAP_PROCESS_PLACES;
	row->pid = data->pid;
	row->path = data->path;
	row->within = data->within;
	if (!(what & KIND_LIFE))
		row_sites(row, sites, n, a);
	if (data->image)
		place_row_program(row, data->image);
	return row;
}

static const struct mechanism *mechanism(const struct site *s)
{
	static const struct mechanism entry = { "uprobe", 1608, true },
				      returning = { "uretprobe", 2723, true },
				      after = { "uprobe after a landing pad", 995, true },
				      checked = { "uprobe after the check of the stack", 1608, true },
				      instructions = { "uprobes of return instructions", 1608, true },
				      life = { "the kernel's process events", 0, false };

	if (s->shape->what & KIND_LIFE)
		return &life;
	if (site_data(s)->returns.n)
		return &instructions;
	if (site_data(s)->goroutine && site_data(s)->pad)
		return &checked;
	return s->flags & TAP_PROBE_RETURN ? &returning : site_data(s)->pad ? &after : &entry;
}

const struct probe_family process_family = {
	.name = "process",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_process",
	.where = &layout,
	.describe = describe,
	.groups = groups,
	.variable = variable,
	.variables = variables,
	.mechanism = mechanism,
	.may_fetch = true,
	.site_bytes = 512,
	.row_bytes = 2048,
	.session_bytes = 640 << 10,
	.program_bytes = 513 << 10,
	.keeps = true,
};
