/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps from the script's text to C. */
#include "run.h"

#include <string.h>

#include "base/util.h"
#include "emit/emit.h"
#include "emit/filter.h"
#include "emit/regex.h"
#include "meaning/display.h"
#include "meaning/given.h"
#include "meaning/infer.h"
#include "meaning/resolve_complain.h"
#include "meaning/simplify.h"
#include "meaning/warn.h"
#include "module.h"
#include "syntax/parse.h"
#include "syntax/preproc.h"
#include "syntax/print.h"
#include "tools/kernel_lines.h"

void run_open(struct run *r)
{
	r->translation = (struct translation){ .arena = r->arena, .options = &r->options, .images = &r->images };
	diag_open(&r->translation.diag, r->arena, &r->options);
	interned_open(&r->names, r->arena);
	images_open(&r->images, r->arena, &r->target, &r->cache_dir);
	r->images.compile = module_header_types;
	r->images.compile_data = r;
	r->images.is_quiet = r->options.quiet;
}

static const char *config_of(void *data, const char *name)
{
	struct run *r = data;

	return target_host_config(&r->target, r->arena, name);
}

struct macros *run_open_macros(struct run *r)
{
	struct preproc_setup setup = { .strings = &r->names, .options = &r->options };

	setup.target = (struct preproc_target){
		.kernel_vr = r->target.release, .kernel_v = r->target.version, .arch = r->target.machine,
		.runtime = r->options.simulate ? "simulate" : "kernel",
		.systemtap_v = r->options.compatible ? r->options.compatible : SYSTEMTAP_VERSION,
		.privilege = "stapdev", .guru_mode = r->options.guru, .config = config_of,
		.config_data = r,
	};
	return macros_open(&setup);
}

bool run_open_library(void *data, struct library *lib)
{
	struct run *r = data;

	return library_open(lib, &r->translation.diag, &r->target, run_open_macros(r));
}

/* Its probes become the script's: the library adds those of its files itself. */
static void add_script(struct run *r, const char *name, const char *text)
{
	struct source *s = source_add(&r->translation.diag, name, text, strlen(text));
	struct script *more = parse_script(s, r->library.macros);

	library_add(&r->library, more);
	vec_each(p, &more->probes)
		*vec_add(r->arena, &r->script->probes) = *p;
	more->probes.n = 0;
	vec_each(g, &more->globals)
		*vec_add(r->arena, &r->script->globals) = *g;
	vec_each(o, &more->options)
		*vec_add(r->arena, &r->script->options) = *o;
}

/* ---- slices of a timeline: probe F with probe F.return ---- */

static const char *last_component(const char *point)
{
	const char *dot = strrchr(point, '.');

	return dot && !strchr(dot, '"') ? dot : NULL;
}

/* The probe point of the script that is POINT, or POINT.call; NULL: it has none. */
static const char *find_point(struct run *r, const char *point)
{
	vec_each(probe, &r->script->probes)
		vec_each(p, &(*probe)->points) {
			const char *text = point_text(r->arena, *p);

			if (str_equal(text, point) || str_equal(text, arena_printf(r->arena, "%s.call", point)))
				return text;
		}
	return NULL;
}

static void add_slice(struct run *r, struct text *to, const char *exit)
{
	const char *last = last_component(exit), *entry;

	if (!last || !str_equal(last, ".return"))
		return;
	entry = find_point(r, arena_strndup(r->arena, exit, (size_t)(last - exit)));
	if (!entry)
		return;
	text_printf(to, "probe %s { if (!target() || target_set_pid(pid())) "
		    "span_begin(ppfunc() == \"\" ? pn() : ppfunc()) }\n"
		    "probe %s { if (!target() || target_set_pid(pid())) span_end(ppfunc()) }\n", entry, exit);
}

/* Only for a script that draws none. */
static void add_slices(struct run *r)
{
	struct text text;

	if (!options_show_slices(&r->options) || memmem(r->text, r->text_size, "span", 4))
		return;
	text_init(&text, r->arena);
	vec_each(probe, &r->script->probes)
		vec_each(p, &(*probe)->points)
			add_slice(r, &text, point_text(r->arena, *p));
	if (text.n)
		add_script(r, "<slices>", text.s);
}

bool run_parse(struct run *r)
{
	struct source *s = source_add(&r->translation.diag, r->translation.script_name, r->text, r->text_size);
	struct macros *macros;

	if (!r->library.arena && !run_open_library(r, &r->library))
		return false;
	macros = r->library.macros;
	s->is_library = r->is_tapset;
	r->used_args = arena_array(r->arena, bool, r->options.args.n + 1);
	macros_note_args(macros, r->used_args);
	r->script = parse_script(s, macros);
	library_add(&r->library, r->script);
	vec_each(text, &r->options.extra)
		add_script(r, "<-E>", *text);
	vec_each(part, &r->more)
		add_script(r, part->name, part->text);
	add_slices(r);
	given_set(&r->options, &r->translation.diag, r->script);
	return !r->translation.diag.errors;
}

/* Another round, for a probe that contains globals as text. */
static bool add_display(struct run *r, const char *name, const char *text, bool at_exit)
{
	struct source *s;
	struct script *script;

	if (!text)
		return true;
	s = source_add(&r->translation.diag, name, text, strlen(text));
	s->is_display = at_exit;
	script = parse_script(s, r->library.macros);
	display_bind(script, &r->program);
	return resolve_more(&r->translation, &r->library, script, &r->program) &&
	       infer_program(&r->translation, &r->program);
}

static bool add_displays(struct run *r)
{
	const char *at_exit = r->options.no_global_var_display ? NULL :
			      display_globals(r->arena, &r->program);
	const char *for_monitor = r->options.monitor_globals ?
				  display_for_monitor(r->arena, &r->program) : NULL;

	return add_display(r, "<globals at exit>", at_exit, true) &&
	       add_display(r, "<globals for --monitor>", for_monitor, false);
}

/* Reports unresolved names; other findings are reported even if translation ends here. */
static bool complain(struct run *r)
{
	struct program *p = &r->program;

	if (resolve_complain(&r->translation, p) && !r->translation.diag.errors)
		return true;
	if (p->warnings)
		warnings_tell(p->warnings, false);
	return false;
}

bool run_resolve(struct run *r)
{
	struct translation *t = &r->translation;

	if (!resolve_program(t, &r->library, r->script, &r->program))
		return false;
	if (r->options.list || r->options.list_variables)
		return true;
	given_warn_unused(&r->options, &t->diag, r->used_args);
	if (!r->options.no_optimize)
		warn_unused(&r->library);
	simplify_program(t, &r->library, &r->program);
	if (!complain(r) || !given_is_single(&r->options, &t->diag, r->script) ||
	    !infer_program(t, &r->program) || !add_displays(r))
		return false;
	if (!r->program.handlers.n) {
		error_print("%s has no probe that would run", t->script_name);
		return false;
	}
	return plan_program(t, &r->program, &r->plan) && plan_regexes(&r->plan) && plan_filters(&r->plan);
}

bool run_emit(struct run *r)
{
	text_init(&r->code, r->arena);
	text_init(&r->embedded, r->arena);
	kernel_lines(&r->images, &r->plan);
	emit_script(&r->plan, &r->code, &r->embedded);
	return !r->translation.diag.errors;
}
