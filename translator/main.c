/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc: from a script to a running kernel module.
 *
 *	text -> parse -> resolve -> infer -> simplify -> plan -> emit -> build -> launch
 *
 * SystemTap's passes are 1 parse, 2 resolve ... plan, 3 emit, 4 build, 5 run. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"
#include "bound/bound.h"
#include "bound/print.h"
#include "bound/stack.h"
#include "build/prepared.h"
#include "build/template.h"
#include "emit/embedded.h"
#include "flow/module.h"
#include "flow/run.h"
#include "flow/view.h"
#include "library/library.h"
#include "meaning/infer.h"
#include "run/launch.h"
#include "run/remote.h"
#include "run/simulate.h"
#include "server/server.h"
#include "shell/shell.h"
#include "source/options.h"
#include "staging/common/default_path.h"
#include "staging/common/status.h"
#include "syntax/parse.h"
#include "syntax/script_head.h"
#include "tools/check_host.h"
#include "tools/format_files.h"
#include "tools/gallery.h"
#include "tools/indirect.h"
#include "tools/list.h"
#include "tools/manual.h"
#include "tools/manual_page.h"
#include "tools/script_line.h"
#include "tools/source_view.h"

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
	errno = 0;
	if (o->script_text) {
		r->text = o->script_text;
		r->text_size = strlen(r->text);
	} else if (str_equal(name, "-")) {
		r->text = o->input = fd_read(r->arena, STDIN_FILENO, &r->text_size);
		o->input_size = r->text_size;
	} else {
		r->text = file_read(r->arena, name, &r->text_size);
	}
	r->read_error = r->text ? 0 : errno;
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
	if (!r->text)	/* not looked at: an option made the script */
		read_text(r, o, o->script_file);
	if (!r->text)
		return no_script(r, o->script_file, r->read_error);
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
		no_script(r, r->typed_name, r->read_error);
		return TAP_STATUS_SCRIPT;
	}
	gallery_help(r->arena, o->has_text ? NULL : r->typed_name, r->text, &r->head);
	return TAP_STATUS_OK;
}

/* ---- passes ---- */

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

/* ---- --bound ---- */

/* Stack frames of embedded C are in another file. */
static int tell_bound(struct run *r, struct bound *b)
{
	struct bound_frames frames = { 0 };
	const char *dir, *usage;

	if (module_is_wanted(&r->options) && !r->embedded.n) {
		dir = safe_work_dir(r->arena);
		usage = dir ? kbuild_stack_usage(&r->kbuild, r->code.s, dir) : NULL;
		if (dir)
			module_keep_files(r, dir);
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
	if (module_is_wanted(o) && !module_open(r))
		return TAP_STATUS_BUILD;
	if (module_is_wanted(o) && module_take(r)) {
		r->pass = 4;
		pass_end(r, clock, 4, "the same as before: took the module from the cache");
		return o->last_pass == 4 ? module_leave(r) : module_launch(r);
	}
	r->pass = 1;
	if (!run_parse(r))
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
	if (!run_resolve(r))
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
		return list_sites(&r->images, &r->target, o, &r->program, o->list_variables) ? TAP_STATUS_OK :
			TAP_STATUS_RUNTIME;
	if (o->last_pass == 2) {
		list_program(&r->program);
		return TAP_STATUS_OK;
	}

	r->pass = 3;
	clock = pass_start();
	if (!run_emit(r))
		return TAP_STATUS_SCRIPT;
	pass_end(r, clock, 3, arena_printf(r->arena, "translated to %zu bytes of C", r->code.n));
	if (options_direct(o) && options_verbose(o, 3))
		indirect_report(&r->plan, &r->target);
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
	if (!module_build(r))
		return TAP_STATUS_BUILD;
	pass_end(r, clock, 4, r->cached ? "took the module from the cache" : "built the module");
	if (o->last_pass == 4)
		return module_leave(r);
	return module_launch(r);
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

static int serve(struct run *r)
{
	struct analyst analyst = view_open(r);
	int status = language_server(&analyst);

	view_close(r);
	return status;
}

/* For the build itself: C of the tapset files, for the runtime's archive. */
static int print_tapset_c(struct run *r)
{
	struct macros *macros = run_open_macros(r);
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
	if (!library_open(&r->library, &r->translation.diag, &r->target, run_open_macros(r)))	/* for its macros */
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
	struct template *tp = &r->kbuild.template;
	bool good = module_open(r) && (!r->cache.is_shared || prepared_make(&r->cache)) && template_prepare(tp, NULL) &&
		    template_extend(tp, NULL);

	return good ? TAP_STATUS_OK : TAP_STATUS_BUILD;
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
	run_open(&r);
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
	else if (r.options.interactive)
		status = shell_run(&r, argv, run_script);
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
