/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc: from a script to a running kernel module.
 *
 *	text -> parse -> resolve -> infer -> simplify -> plan -> emit -> build -> launch
 *
 * SystemTap's passes are 1 parse, 2 resolve ... plan, 3 emit, 4 build, 5 run. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bound/bound.h"
#include "build/cache.h"
#include "debuginfo/images.h"
#include "meaning/display.h"
#include "emit/embedded.h"
#include "emit/emit.h"
#include "emit/regex.h"
#include "meaning/given.h"
#include "meaning/infer.h"
#include "build/headers.h"
#include "build/kbuild.h"
#include "tools/check_host.h"
#include "tools/format_files.h"
#include "tools/gallery.h"
#include "tools/kernel_lines.h"
#include "run/launch.h"
#include "library/library.h"
#include "tools/list.h"
#include "tools/manual.h"
#include "tools/module_key.h"
#include "syntax/parse.h"
#include "plan/plan.h"
#include "run/remote.h"
#include "server/analysis.h"
#include "server/server.h"
#include "meaning/resolve.h"
#include "meaning/resolve_complain.h"
#include "base/intern.h"
#include "base/safe_path.h"
#include "tools/script_line.h"
#include "meaning/simplify.h"
#include "tools/source_view.h"
#include "run/simulate.h"
#include "staging/common/default_path.h"
#include "staging/common/status.h"
#include "source/cache_dir.h"
#include "syntax/format_pieces.h"
#include "tools/stand_in.h"
#include "source/target_host.h"
#include "source/translation.h"
#include "base/util.h"
#include "meaning/warn.h"
#include "bound/print.h"
#include "bound/stack.h"
#include "syntax/preproc.h"
#include "syntax/script_head.h"
#include "tools/manual_page.h"

/* A run of tapc. */
struct run {
	struct arena *arena;
	struct options options;
	struct target_host target;
	struct cache_dir cache_dir;
	struct images images;
	struct interned names;
	bool *used_args;		/* which arguments the script has used */
	struct translation translation;
	struct library library;
	const char *typed_name;		/* the script's, before it was looked up */
	const char *text;		/* of the script */
	size_t text_size;
	struct script_head head;
	struct script *script;
	struct program program;
	struct plan plan;
	struct text code, embedded;
	struct cache cache;
	struct kbuild kbuild;
	bool build_tried, build_open;
	struct cache_key key;		/* of all that decides the module */
	const char *script_key;		/* the same, computed from the script and the options; or NULL */
	bool cached;
	char *image;
	size_t image_size;
	int image_fd;			/* where to write it instead of launching it; 0: nowhere */
	int pass;			/* the current one of SystemTap's five passes; 0: none */
	bool is_tapset;			/* the script is a file of the library, in an editor */
	bool is_again;			/* translated before, for another kernel: its warnings have been reported */
};

/* ---- times of the passes, printed as by stap -v ---- */

struct pass_clock {
	struct rusage usage;
	struct timespec real;
};

static struct pass_clock pass_start(void)
{
	struct pass_clock c;

	getrusage(RUSAGE_SELF, &c.usage);
	clock_gettime(CLOCK_MONOTONIC, &c.real);
	return c;
}

static long milliseconds(struct timeval from, struct timeval to)
{
	return (to.tv_sec - from.tv_sec) * 1000 + (to.tv_usec - from.tv_usec) / 1000;
}

static void pass_end(const struct run *r, struct pass_clock from, int pass, const char *what)
{
	struct pass_clock now = pass_start();
	long real = (now.real.tv_sec - from.real.tv_sec) * 1000 +
		    (now.real.tv_nsec - from.real.tv_nsec) / 1000000;

	if (options_verbose(&r->options, pass))
		fprintf(stderr, "Pass %d: %s in %ldusr/%ldsys/%ldreal ms.\n", pass, what,
			milliseconds(from.usage.ru_utime, now.usage.ru_utime),
			milliseconds(from.usage.ru_stime, now.usage.ru_stime), real);
}

/* ---- the script's text ---- */

static void read_text(struct run *r, struct options *o, const char *name)
{
	if (o->has_text) {
		r->text = o->script_text;
		r->text_size = strlen(r->text);
	} else if (str_equal(name, "-")) {
		r->text = o->input = fd_read(r->arena, STDIN_FILENO, &r->text_size);
		o->input_size = r->text_size;
	} else {
		r->text = file_read(r->arena, name, &r->text_size);
	}
}

/* A script_look. An unreadable file is reported later, if the other words do not name another tool. */
static void look_at_script(void *data, struct options *o)
{
	struct run *r = data;
	const char *path = NULL;

	if (!o->has_text) {
		r->typed_name = o->args.items[0];
		path = gallery_find(r->arena, r->typed_name);
		o->args.items[0] = path ? path : r->typed_name;
	}
	read_text(r, o, o->has_text ? NULL : o->args.items[0]);
	if (r->text && r->text_size <= UINT32_MAX / 2)
		r->head = script_head_find(r->arena, r->text, r->text_size);
	o->declared = &r->head.options;
	o->script_has_arguments = r->head.has_arguments && !path;	/* --help is never an argument of a tool */
}

static bool no_script(struct run *r, const char *name, int error)
{
	const char *near = error == ENOENT ? gallery_near(r->arena, name) : NULL;

	if (near)
		error_print("there is no script '%s', and no tool of this name; did you mean '%s'?", name, near);
	else if (error == ENOENT && !strpbrk(name, "/."))
		error_print("there is no script '%s', and no tool of this name; tapc --tools lists them", name);
	else
		error_print("cannot read the script '%s': %s", name, strerror(error));
	return false;
}

/* A file in the current directory has the name of the tool that runs. */
static void tell_shadowed(const struct run *r)
{
	const struct options *o = &r->options;

	if (!o->script_file || str_equal(o->script_file, r->typed_name) || o->quiet || !file_exists(r->typed_name))
		return;
	fprintf(stderr, "tapc: note: '%s' is tapc's tool; ./%s is the file in this directory\n", r->typed_name,
		r->typed_name);
}

static bool read_script(struct run *r)
{
	struct options *o = &r->options;

	if (r->translation.script_name)
		return true;
	errno = 0;
	if (!r->text && o->script_text) {	/* made from an option */
		r->text = o->script_text;
		r->text_size = strlen(r->text);
	} else if (!r->text) {
		read_text(r, o, o->script_file);
	}
	if (!r->text)
		return no_script(r, o->script_file, errno);
	r->translation.script_name = o->script_text ? "<input>" :
				     str_equal(o->script_file, "-") ? "<stdin>" : o->script_file;
	if (r->text_size > UINT32_MAX / 2) {
		error_print("the script '%s' is larger than 2 GB", r->translation.script_name);
		return false;
	}
	if (o->script_file) {
		tell_shadowed(r);
		script_line_limits(r->arena, r->text, &r->options);
	}
	return true;
}

static int help_of_script(struct run *r)
{
	const struct options *o = &r->options;

	if (!r->text) {
		no_script(r, r->typed_name, errno);
		return TAP_STATUS_SCRIPT;
	}
	gallery_help(r->arena, o->has_text ? NULL : r->typed_name, r->text, &r->head);
	return TAP_STATUS_OK;
}

/* ---- passes ---- */

static const char *config_of(void *data, const char *name)
{
	struct run *r = data;

	return target_host_config(&r->target, r->arena, name);
}

static struct macros *open_macros(struct run *r)
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

static bool open_library(void *data, struct library *lib)
{
	struct run *r = data;

	return library_open(lib, &r->translation.diag, &r->target, open_macros(r));
}

static bool add_extra_scripts(struct run *r, struct macros *macros)
{
	bool ok = true;

	vec_each(text, &r->options.extra) {
		struct source *s = source_add(&r->translation.diag, "<-E>", *text, strlen(*text));
		struct script *extra = parse_script(s, macros);

		ok = library_add(&r->library, extra) && ok;
		vec_each(p, &extra->probes)
			*vec_add(r->arena, &r->script->probes) = *p;
	}
	return ok;
}

static bool parse(struct run *r)
{
	struct source *s = source_add(&r->translation.diag, r->translation.script_name, r->text, r->text_size);
	struct macros *macros;

	if (!r->library.arena && !open_library(r, &r->library))
		return false;
	macros = r->library.macros;
	s->is_library = r->is_tapset;
	r->used_args = arena_array(r->arena, bool, r->options.args.n + 1);
	macros_note_args(macros, r->used_args);
	r->script = parse_script(s, macros);
	library_add(&r->library, r->script);
	add_extra_scripts(r, macros);
	given_set(&r->options, &r->translation.diag, r->script);
	return !r->translation.diag.errors;
}

static bool dump_manual(struct run *r)
{
	const char *argument = r->options.dump_argument;
	struct manual manual;

	if (!manual_open(&manual, r->arena, &r->library))
		return false;
	return r->options.dump == DUMP_HELP_FUNCTION ? manual_help_function(&manual, argument) :
	       r->options.dump == DUMP_HELP_PROBE ? manual_help_probe(&manual, argument) :
						    manual_pages(&manual, argument) &&
						    gallery_pages(r->arena, argument);
}

static bool dump(struct run *r)
{
	switch (r->options.dump) {
	case DUMP_NOTHING: break;
	case DUMP_PROBE_TYPES: list_probe_types(); break;
	case DUMP_PROBE_ALIASES: list_aliases(&r->library); break;
	case DUMP_FUNCTIONS: list_functions(&r->library); break;
	case DUMP_HELP_FUNCTION: case DUMP_HELP_PROBE: case DUMP_MAN_PAGES: return dump_manual(r);
	}
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

static bool resolve(struct run *r)
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
	return plan_program(t, &r->program, &r->plan) && plan_regexes(&r->plan);
}

static bool emit(struct run *r)
{
	text_init(&r->code, r->arena);
	text_init(&r->embedded, r->arena);
	kernel_lines(&r->images, &r->plan);
	emit_script(&r->plan, &r->code, &r->embedded);
	return !r->translation.diag.errors;
}

/* ---- the module ---- */

static bool open_build(struct run *r)
{
	if (!r->build_tried)
		r->build_open = cache_open(&r->cache, &r->cache_dir, &r->options) &&
				kbuild_open(&r->kbuild, &r->options, &r->target, &r->cache);
	r->build_tried = true;		/* missing tools are reported once */
	return r->build_open;
}

static const char *header_types(void *data, const char *headers, bool in_kernel, const char **reason)
{
	struct run *r = data;

	*reason = "there is nothing to compile headers with";
	return open_build(r) ? headers_object(&r->kbuild, headers, in_kernel, reason) : NULL;
}

static bool makes_module(const struct options *o)
{
	return o->last_pass >= 4 && !o->list && !o->list_variables && !o->dump && !o->simulate;
}

static bool take_from_cache(struct run *r)
{
	const char *paths;
	size_t size;

	/* the cost also depends on this machine's CPUs and on -s */
	if (r->options.keep || r->options.bound || r->options.max_cost || r->options.max_memory)
		return false;
	if (!module_key_of_script(&r->key, &r->options, &r->target, &r->kbuild, r->translation.script_name, r->text,
				  r->text_size))
		return false;
	r->script_key = cache_key_hex(r->arena, &r->key);
	paths = cache_get(&r->cache, r->script_key, &size);
	if (paths && (!size || !paths[size - 1]))
		r->image = cache_get(&r->cache, module_key_of_inputs(r->arena, r->script_key, paths, size),
				     &r->image_size);
	return r->image != NULL;
}

static void put_script(struct run *r)
{
	const struct map *inputs = &r->images.inputs;
	struct text paths;

	text_init(&paths, r->arena);
	for (size_t i = 0; i < inputs->n; i++)
		text_add_n(&paths, inputs->entries[i].key, strlen(inputs->entries[i].key) + 1);
	cache_put(&r->cache, r->script_key, paths.s, paths.n);
	cache_put(&r->cache, module_key_of_inputs(r->arena, r->script_key, paths.s, paths.n), r->image, r->image_size);
}

static void keep_files(const struct run *r, const char *dir)
{
	if (r->options.keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", dir);
	else
		dir_remove(dir);
}

static char *build_image(struct run *r)
{
	struct module_source source = { r->code.s, r->embedded.n ? r->embedded.s : NULL };
	char *dir = safe_work_dir(r->arena), *image;

	if (!dir)
		return NULL;
	image = kbuild_module(&r->kbuild, &source, dir, &r->image_size);
	keep_files(r, dir);
	return image;
}

static bool build(struct run *r)
{
	const char *key;

	module_key_of_code(&r->key, &r->options, &r->kbuild, &r->code, &r->embedded);
	key = cache_key_hex(r->arena, &r->key);
	if (!r->options.keep)
		r->image = cache_get(&r->cache, key, &r->image_size);
	r->cached = r->image != NULL;
	if (!r->image)
		r->image = build_image(r);
	if (!r->image)
		return false;
	if (!r->cached)
		cache_put(&r->cache, key, r->image, r->image_size);
	/* Not if there were messages, which would be missing the next time; nor if a name was looked up, which may
	 * resolve to another program the next time. */
	if (r->script_key && !r->translation.diag.warnings && !r->images.names_programs)
		put_script(r);
	return true;
}

/* "my-reads" for "dir/my-reads.stp", as part of a module's name; "" for a script without a file. */
static const char *name_of_script(struct run *r)
{
	enum { LONGEST = 32 };
	const char *file = r->options.script_file;
	char *name;

	if (!file || str_equal(file, "-"))
		return "";
	name = arena_strndup(r->arena, path_base(file), LONGEST);
	name[strcspn(name, ".")] = '\0';
	for (char *c = name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	return name;
}

/* The name for a session, made unique by the process ID; taprun also accepts the script's name alone. */
static const char *module_name(struct run *r)
{
	const char *script = name_of_script(r);

	if (r->options.module_name)
		return r->options.module_name;
	return *script ? arena_printf(r->arena, "tap_%s_%d", script, (int)getpid()) :
		arena_printf(r->arena, "tap_%.16s_%d", cache_key_hex(r->arena, &r->key), (int)getpid());
}

/* The name for a module that is kept: the same module has the same name. */
static const char *left_name(struct run *r)
{
	const char *script = name_of_script(r);
	struct cache_key key;

	if (r->options.module_name)
		return r->options.module_name;
	cache_key_init(&key);
	cache_key_add(&key, r->image, r->image_size);
	return arena_printf(r->arena, "tap_%s%s%.*s", script, *script ? "_" : "", *script ? 8 : 16,
			    cache_key_hex(r->arena, &key));
}

/* -p4: with -m the module is written to the current directory, otherwise to the cache, if there is one. */
static int leave_module(struct run *r)
{
	const char *name = left_name(r), *path;
	size_t size;
	char *image = kbuild_finish(&r->kbuild, r->image, r->image_size, name, &size);

	if (!image)
		return TAP_STATUS_BUILD;
	path = r->options.module_name ? NULL : cache_module_path(&r->cache, name);
	path = path ? path : arena_printf(r->arena, "%s.ko", name);
	if (!file_write(path, image, size)) {
		error_print("cannot write %s: %s", path, strerror(errno));
		return TAP_STATUS_BUILD;
	}
	printf("%s\n", path);
	return TAP_STATUS_OK;
}

static int launch(struct run *r)
{
	size_t size;
	char *image = kbuild_finish(&r->kbuild, r->image, r->image_size, module_name(r), &size);

	if (!image)
		return TAP_STATUS_BUILD;
	cache_close(&r->cache);
	if (r->image_fd)
		return fd_write(r->image_fd, image, size) ? TAP_STATUS_OK : TAP_STATUS_HOST;
	r->pass = 5;
	return launch_module(&r->options, image, size, r->target.release);
}

/* ---- --bound ---- */

/* Stack frames of embedded C are in another file. */
static int tell_bound(struct run *r, struct bound *b)
{
	struct bound_frames frames = { 0 };
	const char *dir, *usage;

	if (makes_module(&r->options) && !r->embedded.n) {
		dir = safe_work_dir(r->arena);
		usage = dir ? kbuild_stack_usage(&r->kbuild, r->code.s, dir) : NULL;
		if (dir)
			keep_files(r, dir);
		if (!usage)
			return TAP_STATUS_BUILD;
		bound_read_frames(&frames, r->arena, usage);
	}
	bound_add_stack(b, &frames);
	bound_print(b, r->options.form && str_equal(r->options.form, "json"));
	return TAP_STATUS_OK;
}

/* ---- the flow ---- */

static int run_passes(struct run *r)
{
	struct options *o = &r->options;
	struct pass_clock clock = pass_start();
	struct bound bound;

	r->pass = 1;
	if (!read_script(r))
		return TAP_STATUS_SCRIPT;
	r->pass = 0;
	if (makes_module(o) && !open_build(r))
		return TAP_STATUS_BUILD;
	if (makes_module(o) && take_from_cache(r)) {
		r->pass = 4;
		pass_end(r, clock, 4, "the same as before: took the module from the cache");
		return o->last_pass == 4 ? leave_module(r) : launch(r);
	}
	r->pass = 1;
	if (!parse(r))
		return TAP_STATUS_SCRIPT;
	pass_end(r, clock, 1, "parsed the script and indexed the tapset library");
	if (o->dump)
		return dump(r) ? TAP_STATUS_OK : TAP_STATUS_SCRIPT;
	if (o->last_pass == 1) {
		list_script(r->arena, r->script);
		return TAP_STATUS_OK;
	}

	r->pass = 2;
	clock = pass_start();
	if (!resolve(r))
		return o->list || o->list_variables ? TAP_STATUS_RUNTIME : TAP_STATUS_SCRIPT;
	pass_end(r, clock, 2, arena_printf(r->arena, "analyzed script: %zu probe(s), %zu function(s), "
					   "%zu global(s)", r->program.handlers.n, r->program.functions.n,
					   r->program.globals.n));
	if (r->program.skipped && options_verbose(o, 2))
		fprintf(stderr, "wildcards left out %zu places that cannot be probed\n",
			r->program.skipped);
	if (o->source)
		return source_view(&r->target, r->arena, &r->program) ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
	if (o->list_variables)
		infer_types(&r->translation, &r->program);
	if (o->list || o->list_variables)
		return list_sites(&r->images, o, &r->program, o->list_variables) ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
	if (o->last_pass == 2) {
		list_program(&r->program);
		return TAP_STATUS_OK;
	}

	r->pass = 3;
	clock = pass_start();
	if (!emit(r))
		return TAP_STATUS_SCRIPT;
	pass_end(r, clock, 3, arena_printf(r->arena, "translated to %zu bytes of C", r->code.n));
	if (o->bound || o->max_cost || o->max_memory)
		bound_find(&bound, &r->plan, r->code.n);
	if ((o->max_cost || o->max_memory) && !bound_allows(&bound))
		return TAP_STATUS_SCRIPT;
	if (o->bound)
		return tell_bound(r, &bound);
	if (o->last_pass == 3) {
		fputs(r->code.s, stdout);
		if (r->embedded.n)
			printf("\n/* ---- embedded.c ---- */\n%s", r->embedded.s);
		return TAP_STATUS_OK;
	}
	r->pass = 5;
	if (o->simulate)
		return simulate_script(&r->options, &r->code, &r->embedded);

	if (o->last_pass > 4 && !r->image_fd && !launch_is_possible(&r->options, r->target.release))
		return TAP_STATUS_LOAD;
	r->pass = 4;
	clock = pass_start();
	if (!build(r))
		return TAP_STATUS_BUILD;
	pass_end(r, clock, 4, r->cached ? "took the module from the cache" : "built the module");
	if (o->last_pass == 4)
		return leave_module(r);
	return launch(r);
}

static bool is_question(const struct options *o)
{
	return o->list || o->list_variables || o->source || o->dump || o->bound;
}

/* As in SystemTap: other programs that call it search for this line. Wrong options and missing headers belong to no
 * pass. taprun replaces tapc's process, and prints it for pass 5. */
static void tell_failed_pass(int pass, int status)
{
	static const char *const names[] = { "parse", "analysis", "translation", "compilation", "run" };

	pass = pass == 5 && status == TAP_STATUS_BUILD ? 4 : pass;	/* --simulate compiles, too */
	if (!pass || status == TAP_STATUS_OK || status == TAP_STATUS_USAGE)
		return;
	fflush(stdout);
	fprintf(stderr, "Pass %d: %s failed.  [man error::pass%d]\n", pass, names[pass - 1], pass);
}

static int run_script(struct run *r)
{
	int status = run_passes(r);

	if (!is_question(&r->options))
		tell_failed_pass(r->pass, status);
	return status;
}

/* ---- for other machines ---- */

/* A translation is for one kernel: another kernel gets a separate process. */
static char *build_for(void *data, const char *release, const char *machine, size_t *size)
{
	struct run *r = data;
	int ends[2], status;
	char *image;
	pid_t child;

	if (pipe(ends) < 0 || (fflush(NULL), child = fork()) < 0)
		fatal("cannot start a translation: %s", strerror(errno));
	if (child == 0) {
		close(ends[0]);
		r->options.no_warnings |= r->is_again;
		r->options.release = release;
		r->options.arch = machine;
		r->image_fd = ends[1];
		status = target_host_find(&r->target, &r->options) ? run_script(r) : TAP_STATUS_USAGE;
		fflush(NULL);
		_exit(status);
	}
	r->is_again = true;
	close(ends[1]);
	image = fd_read(r->arena, ends[0], size);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == TAP_STATUS_OK && *size ? image : NULL;
}

static int run_remotely(struct run *r)
{
	int status;

	if (!read_script(r)) {
		tell_failed_pass(1, TAP_STATUS_SCRIPT);
		return TAP_STATUS_SCRIPT;
	}
	status = remote_run(&r->options, build_for, r);
	if (status != TAP_STATUS_BUILD)		/* that was reported where it failed */
		tell_failed_pass(5, status);
	return status;
}

/* ---- --language-server ---- */

static void open_translation(struct run *r)
{
	r->translation = (struct translation){ .arena = r->arena, .options = &r->options, .images = &r->images };
	diag_open(&r->translation.diag, r->arena, &r->options);
	interned_open(&r->names, r->arena);
	images_open(&r->images, r->arena, &r->target, &r->cache_dir);
	r->images.compile = header_types;
	r->images.compile_data = r;
	r->images.is_quiet = r->options.quiet;
}

/* A new arena for all that a translation and the library allocate. */
static bool restart(void *data)
{
	struct run *r = data;

	if (r->arena != r->options.arena) {
		images_close(&r->images);
		arena_close(r->arena);
	}
	r->arena = arena_open();
	if (!target_host_find(&r->target, &r->options))
		return false;
	open_translation(r);
	r->library = (struct library){ 0 };
	return open_library(r, &r->library);
}

/* The editor's text is used in place of a file of the library. */
static bool is_of_library(struct run *r, const char *path)
{
	vec_each(f, &r->library.files)
		if (str_equal(path_base((*f)->path), path_base(path)) && file_same((*f)->path, path))
			return (*f)->read = true;
	return false;
}

static void set_stand_ins(struct run *r)
{
	struct source *s = source_add(&r->translation.diag, r->translation.script_name, r->text, r->text_size);
	piece_list pieces = { 0 };

	if (pieces_read(s, r->arena, &pieces))
		stand_ins_set(&r->options, r->arena, &pieces);
}

/* A text that only defines functions and aliases has no use for them. */
static void analyse(void *data, struct analysis *a)
{
	struct run *r = data;
	bool good, whole;

	r->text = a->text;
	r->text_size = a->size;
	r->translation.script_name = a->name;
	r->translation.diag.receiver = a->receiver;
	r->head = script_head_find(r->arena, a->text, a->size);
	r->options.declared = &r->head.options;
	r->is_tapset = is_of_library(r, a->name);
	script_line_limits(r->arena, r->text, &r->options);
	set_stand_ins(r);
	good = parse(r);
	a->script = r->script;
	whole = a->depth == ANALYSIS_WHOLE && r->script && r->script->probes.n;
	if (a->depth == ANALYSIS_SYNTAX || !r->script || (!good && a->depth == ANALYSIS_WHOLE))
		return;
	r->options.list_variables = !whole;
	resolve(r);
	if (!whole)
		infer_types(&r->translation, &r->program);
	a->program = &r->program;
}

static bool format_text(void *data, const struct analysis *a, struct text *out)
{
	struct run *r = data;

	r->translation.diag.receiver = a->receiver;
	return format_script(&r->options, &r->target, &r->library,
			     source_add(&r->translation.diag, a->name, a->text, a->size), out);
}

static struct arena *arena_of(void *data)
{
	return ((struct run *)data)->arena;
}

static struct library *library_of(void *data)
{
	return &((struct run *)data)->library;
}

static struct images *images_of(void *data)
{
	return &((struct run *)data)->images;
}

static int serve(struct run *r)
{
	struct analyst analyst = { r, restart, open_library, analyse, format_text, arena_of, library_of, images_of };
	int status;

	r->options.last_pass = 3;
	status = language_server(&analyst);
	if (r->arena != r->options.arena) {
		images_close(&r->images);
		arena_close(r->arena);
	}
	r->images = (struct images){ .kernel = NULL };
	r->arena = r->options.arena;
	return status;
}

/* For the build itself: C of the tapset files, for the runtime's archive. */
static int print_tapset_c(struct run *r)
{
	struct macros *macros = open_macros(r);
	struct text out;

	if (!library_open(&r->library, &r->translation.diag, &r->target, macros))	/* for its macros */
		return TAP_STATUS_HOST;
	text_init(&out, r->arena);
	vec_each(path, &r->options.args) {
		size_t size;
		char *text = file_read(r->arena, *path, &size);
		struct source *s;

		if (!text) {
			error_print("cannot read '%s': %s", *path, strerror(errno));
			return TAP_STATUS_HOST;
		}
		s = source_add(&r->translation.diag, *path, text, size);
		s->is_library = s->is_system = true;
		emit_tapset(parse_script(s, macros), &out);
	}
	if (r->translation.diag.errors)
		return TAP_STATUS_SCRIPT;
	fputs(out.s, stdout);
	return TAP_STATUS_OK;
}

static int format(struct run *r)
{
	if (!library_open(&r->library, &r->translation.diag, &r->target, open_macros(r)))	/* for its macros */
		return TAP_STATUS_HOST;
	return format_files(&r->options, &r->target, &r->library);
}

static int clean_cache(struct run *r)
{
	if (!cache_open(&r->cache, &r->cache_dir, &r->options))
		return TAP_STATUS_HOST;
	cache_clean(&r->cache);
	cache_close(&r->cache);
	return TAP_STATUS_OK;
}

static int prepare_kernel(struct run *r)
{
	return open_build(r) && template_prepare(&r->kbuild.template, NULL) &&
	       template_extend(&r->kbuild.template, NULL) ? TAP_STATUS_OK : TAP_STATUS_BUILD;
}

/* All output must have been written: a full disk is a failure. */
static int finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (status != TAP_STATUS_OK)
		return status;
	error_print("cannot write the output: %s", strerror(errno));
	return TAP_STATUS_HOST;
}

int main(int argc, char **argv)
{
	struct run r = { .arena = arena_open() };
	int status;

	setlocale(LC_ALL, "C");
	default_path_set();
	script_line_split(r.arena, &argc, &argv);
	status = options_parse(&r.options, r.arena, argc, argv, look_at_script, &r);
	if (status < 0 && r.options.script_help)
		status = help_of_script(&r);
	else if (status < 0 && r.options.list_tools)
		status = gallery_list(r.arena) ? TAP_STATUS_OK : TAP_STATUS_HOST;
	if (status >= 0)
		goto finish;
	r.cache_dir = (struct cache_dir){ .arena = r.arena, .is_disabled = r.options.disable_cache };
	if (r.options.tool) {
		status = launch_tool(&r.options);
		goto finish;
	}
	status = TAP_STATUS_USAGE;
	if (!target_host_find(&r.target, &r.options))
		goto finish;
	open_translation(&r);
	if (r.options.clean_cache)
		status = clean_cache(&r);
	if (r.options.tapset_c)
		status = print_tapset_c(&r);
	else if (r.options.check_host)
		status = check_host(&r.options, &r.target, &r.images, &r.cache_dir);
	else if (r.options.format)
		status = format(&r);
	else if (r.options.language_server)
		status = serve(&r);
	else if (r.options.prepare)
		status = prepare_kernel(&r);
	else if (r.options.remotes.n)
		status = run_remotely(&r);
	else if (!r.options.clean_cache || r.options.script_file || r.options.script_text)
		status = run_script(&r);
	if (r.cache.root)
		cache_close(&r.cache);
finish:
	status = finish_output(status);
	images_close(&r.images);
	arena_close(r.arena);
	return status;
}
