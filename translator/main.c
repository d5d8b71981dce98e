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

#include "cache.h"
#include "debuginfo/debuginfo.h"
#include "diag.h"
#include "display.h"
#include "emit.h"
#include "emit_regex.h"
#include "infer.h"
#include "headers.h"
#include "kbuild.h"
#include "kernel_lines.h"
#include "launch.h"
#include "library.h"
#include "list.h"
#include "manual.h"
#include "parse.h"
#include "plan.h"
#include "remote.h"
#include "resolve.h"
#include "simplify.h"
#include "source_view.h"
#include "simulate.h"
#include "staging/status.h"
#include "tapset_files.h"
#include "target_host.h"
#include "translation.h"
#include "util.h"
#include "warn.h"

/* A run of tapc. */
struct run {
	struct arena *arena;
	struct options options;
	struct translation translation;
	struct target_host target;
	struct library library;
	const char *text;		/* of the script */
	size_t text_size;
	struct script *script;
	struct program program;
	struct plan plan;
	struct text code, embedded;
	struct cache cache;
	struct kbuild kbuild;
	bool build_tried, build_open;
	struct cache_key key;		/* of all that decides the module */
	const char *script_key;		/* the same, told from the script and the options; or NULL */
	bool cached;
	char *image;
	size_t image_size;
	int image_fd;			/* where to leave it in place of launching it; 0: nowhere */
	bool is_again;			/* translated before, for another kernel: its warnings were told */
};

/* ---- times of the passes, as stap -v tells them ---- */

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

	if (r->options.verbose)
		fprintf(stderr, "Pass %d: %s in %ldusr/%ldsys/%ldreal ms.\n", pass, what,
			milliseconds(from.usage.ru_utime, now.usage.ru_utime),
			milliseconds(from.usage.ru_stime, now.usage.ru_stime), real);
}

/* ---- the script's text ---- */

static bool read_script(struct run *r)
{
	const struct options *o = &r->options;
	const char *name;

	if (r->text)
		return true;
	name = o->script_text ? "<input>" : str_equal(o->script_file, "-") ? "<stdin>" :
									     o->script_file;
	r->text = o->script_text;
	r->text_size = r->text ? strlen(r->text) : 0;
	if (!r->text)
		r->text = str_equal(o->script_file, "-") ?
			fd_read(r->arena, STDIN_FILENO, &r->text_size) :
			file_read(r->arena, o->script_file, &r->text_size);
	r->translation.script_name = name;
	if (!r->text)
		fprintf(stderr, "tapc: error: cannot read the script '%s': %s\n", name, strerror(errno));
	else if (r->text_size > UINT32_MAX / 2)
		fprintf(stderr, "tapc: error: the script '%s' is larger than 2 GB\n", name);
	else
		return true;
	return false;
}

/* ---- passes ---- */

static const char *config_of(void *data, const char *name)
{
	struct run *r = data;

	return target_host_config(&r->target, &r->translation, name);
}

static struct macros *open_macros(struct run *r)
{
	struct preproc_target *target = arena_new(r->arena, struct preproc_target);

	*target = (struct preproc_target){
		.kernel_vr = r->target.release, .kernel_v = r->target.version, .arch = r->target.machine,
		.runtime = r->options.simulate ? "simulate" : r->options.runtime ? r->options.runtime : "kernel",
		.systemtap_v = r->options.compatible ? r->options.compatible : "5.6",
		.privilege = "stapdev", .guru_mode = r->options.guru, .config = config_of,
		.config_data = r,
	};
	return macros_open(&r->translation, target);
}

static bool add_extra_scripts(struct run *r, struct macros *macros)
{
	bool ok = true;

	vec_each(text, &r->options.extra) {
		struct source *s = source_add(&r->translation, "<-E>", *text, strlen(*text));
		struct script *extra = parse_script(&r->translation, s, macros);

		ok = library_add(&r->library, extra) && ok;
		vec_each(p, &extra->probes)
			*vec_add(r->arena, &r->script->probes) = *p;
	}
	return ok;
}

/* -G NAME=VALUE and --NAME=VALUE: the initial value of a global. */
static bool set_initial(struct run *r, struct variable *v, const char *value)
{
	struct expr *e = expr_make(r->arena, EXPR_STRING, v->span);
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 0);
	if (*value && !*end && !errno && !(v->initial && v->initial->kind == EXPR_STRING)) {
		e->kind = EXPR_NUMBER;
		e->number.value = n;
	} else if (v->initial && v->initial->kind == EXPR_NUMBER) {
		fprintf(stderr, "tapc: error: '%s' is a number, and '%s' is none\n", v->name, value);
		r->translation.errors++;
		return false;
	} else {
		e->string.text = value;
		e->string.size = strlen(value);
	}
	v->initial = e;
	return true;
}

static struct variable *find_global(struct run *r, const char *name)
{
	vec_each(v, &r->script->globals)
		if (str_equal((*v)->name, name))
			return *v;
	return NULL;
}

static bool set_globals(struct run *r)
{
	bool ok = true;

	vec_each(g, &r->options.globals) {
		struct variable *v = find_global(r, g->name);

		if (!v) {
			fprintf(stderr, "tapc: error: -G %s: the script has no such global\n", g->name);
			r->translation.errors++;
			ok = false;
			continue;
		}
		ok = set_initial(r, v, g->value) && ok;
	}
	return ok;
}

/* Only what the script makes of a global tells whether it is one value; infer tells of aggregates. */
static bool check_globals(struct run *r)
{
	vec_each(g, &r->options.globals) {
		const struct variable *v = find_global(r, g->name);

		if (v->key_count <= 0)
			continue;
		fprintf(stderr, "tapc: error: -G sets numbers and texts, and '%s' is an array\n", g->name);
		r->translation.errors++;
	}
	return !r->translation.errors;
}

/* Words behind the script's name that it never asks for: perhaps meant as options. */
static void warn_unused_arguments(struct run *r)
{
	const struct options *o = &r->options;

	for (size_t i = 0; i < o->args.n; i++) {
		if (r->translation.used_args[i] || (o->no_warnings && !o->warnings_are_errors))
			continue;
		fprintf(stderr, "tapc: %s: the script does not use its argument %zu, '%s'\n",
			o->warnings_are_errors ? "error" : "warning", i + 1, o->args.items[i]);
		r->translation.warnings++;
		r->translation.errors += o->warnings_are_errors;
	}
}

static const struct script_option *find_option(struct run *r, const char *name)
{
	vec_each(option, &r->script->options)
		if (str_equal(option->name, name))
			return option;
	return NULL;
}

/* Only a script that declares named options has them among its arguments. */
static bool take_script_options(struct run *r)
{
	if (!memmem(r->text, r->text_size, "@option", strlen("@option")))
		return true;
	return options_split_script(&r->options, r->arena);
}

static bool set_script_options(struct run *r)
{
	bool ok = true;

	vec_each(option, &r->script->options)
		if (options_is_own(option->name)) {
			diag_error(option->span, "--%s is an option of tapc itself", option->name);
			diag_note(option->span, "the words behind a script's name are tapc's, too: choose another name");
			ok = false;
		}
	vec_each(given, &r->options.script_options) {
		const struct script_option *option = find_option(r, given->name);

		if (!option) {
			fprintf(stderr, "tapc: error: unknown option '--%s'; %s\n", given->name,
				r->script->options.n ? "tapc SCRIPT --help lists the script's, tapc -h tapc's" :
						       "tapc -h lists tapc's");
			r->translation.errors++;
			ok = false;
			continue;
		}
		ok = set_initial(r, option->variable, given->value) && ok;
	}
	return ok;
}

static void print_script_help(const struct run *r)
{
	printf("Options of %s:\n", r->translation.script_name);
	vec_each(option, &r->script->options) {
		const struct expr *e = option->variable->initial;

		printf("  --%s=", option->name);
		if (e && e->kind == EXPR_NUMBER)
			printf("%-12lld", (long long)e->number.value);
		else
			printf("%-12s", e ? e->string.text : "");
		printf("  %s\n", option->help);
	}
}

static bool parse(struct run *r)
{
	struct macros *macros = open_macros(r);
	struct source *s = source_add(&r->translation, r->translation.script_name, r->text, r->text_size);

	if (!library_open(&r->library, &r->translation, macros))
		return false;
	r->translation.used_args = arena_array(r->arena, bool, r->options.args.n + 1);
	r->script = parse_script(&r->translation, s, macros);
	library_add(&r->library, r->script);
	add_extra_scripts(r, macros);
	set_globals(r);
	set_script_options(r);
	return !r->translation.errors;
}

static bool dump_manual(struct run *r)
{
	const char *argument = r->options.dump_argument;
	struct manual manual;

	if (!manual_open(&manual, r->arena, &r->library))
		return false;
	return r->options.dump == DUMP_HELP_FUNCTION ? manual_help_function(&manual, argument) :
	       r->options.dump == DUMP_HELP_PROBE ? manual_help_probe(&manual, argument) :
						    manual_pages(&manual, argument);
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
	return !r->translation.errors;
}

/* A further round, for a probe that has globals as text. */
static bool add_display(struct run *r, const char *name, const char *text, bool at_exit)
{
	struct source *s;
	struct script *script;

	if (!text)
		return true;
	s = source_add(&r->translation, name, text, strlen(text));
	s->is_display = at_exit;
	script = parse_script(&r->translation, s, r->library.macros);
	return resolve_more(&r->translation, &r->library, script, &r->program) &&
	       infer_program(&r->translation, &r->program);
}

static bool add_displays(struct run *r)
{
	const char *at_exit = r->options.no_global_var_display ? NULL :
			      display_globals(&r->translation, &r->program);
	const char *for_monitor = r->options.monitor_globals ?
				  display_for_monitor(&r->translation, &r->program) : NULL;

	return add_display(r, "<globals at exit>", at_exit, true) &&
	       add_display(r, "<globals for --monitor>", for_monitor, false);
}

static bool resolve(struct run *r)
{
	struct translation *t = &r->translation;

	if (!resolve_program(t, &r->library, r->script, &r->program))
		return false;
	if (r->options.list || r->options.list_variables)
		return true;
	warn_unused_arguments(r);
	warn_unused(t, &r->library);
	simplify_program(t, &r->program);
	if (!resolve_complain(t, &r->program) || t->errors || !check_globals(r) ||
	    !infer_program(t, &r->program) || !add_displays(r))
		return false;
	if (!r->program.handlers.n) {
		fprintf(stderr, "tapc: error: %s has no probe that would run\n", t->script_name);
		return false;
	}
	return plan_program(t, &r->program, &r->plan) && plan_regexes(&r->plan);
}

static bool emit(struct run *r)
{
	text_init(&r->code, r->arena);
	text_init(&r->embedded, r->arena);
	kernel_lines(&r->translation, &r->plan);
	emit_script(&r->plan, &r->code, &r->embedded);
	return !r->translation.errors;
}

/* ---- the module ---- */

static void add_names_to_key(struct cache_key *k, const char *const *names, size_t n)
{
	cache_key_add(k, &n, sizeof(n));
	for (size_t i = 0; i < n; i++)
		cache_key_string(k, names[i]);
}

static void add_values_to_key(struct cache_key *k, const struct name_value *values, size_t n)
{
	cache_key_add(k, &n, sizeof(n));
	for (size_t i = 0; i < n; i++) {
		cache_key_string(k, values[i].name);
		cache_key_string(k, values[i].value);
	}
}

static bool open_build(struct run *r)
{
	if (!r->build_tried)
		r->build_open = cache_open(&r->cache, &r->translation) &&
				kbuild_open(&r->kbuild, &r->translation, &r->cache);
	r->build_tried = true;		/* what is missing is told once */
	return r->build_open;
}

static const char *header_types(struct translation *t, const char *headers, bool in_kernel, const char **reason)
{
	struct run *r = (struct run *)((char *)t - offsetof(struct run, translation));

	*reason = "there is nothing to compile headers with";
	return open_build(r) ? headers_object(&r->kbuild, headers, in_kernel, reason) : NULL;
}

/* The options that decide a module whatever its C is. */
static void add_build_to_key(struct run *r, struct cache_key *k)
{
	cache_key_string(k, PACKAGE_VERSION);
	add_values_to_key(k, r->options.defines.items, r->options.defines.n);
	add_names_to_key(k, r->options.kbuild_flags.items, r->options.kbuild_flags.n);
	cache_key_add(k, &r->options.kbuild, sizeof(r->options.kbuild));
}

static const char *module_key(struct run *r)
{
	cache_key_init(&r->key);
	add_build_to_key(r, &r->key);
	cache_key_string(&r->key, kbuild_key(&r->kbuild));
	cache_key_string(&r->key, r->code.s);
	cache_key_string(&r->key, r->embedded.n ? r->embedded.s : NULL);
	return cache_key_hex(r->arena, &r->key);
}

static void add_options_to_key(const struct options *o, struct cache_key *k)
{
	const bool flags[] = { o->guru, o->no_optimize, o->suppress_handler_errors,
			       o->suppress_time_limits, o->strict, o->no_global_var_display, o->warnings_are_errors, o->monitor_globals };

	cache_key_add(k, flags, sizeof(flags));
	cache_key_string(k, o->compatible);
	add_names_to_key(k, o->extra.items, o->extra.n);
	add_names_to_key(k, o->args.items, o->args.n);
	add_values_to_key(k, o->globals.items, o->globals.n);
}

/* What the places of probes are read from, as far as the script need not be read for that. */
static void add_target_to_key(struct run *r, struct cache_key *k)
{
	static const char *const files[] = { "boot/vmlinuz-%s", "boot/System.map-%s", "lib/modules/%s/modules.dep" };

	cache_key_string(k, r->target.sysroot);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = arena_printf(r->arena, "%s/%.*s%s%s", r->target.sysroot,
						(int)strcspn(files[i], "%"), files[i], r->target.release,
						strchr(files[i], '%') + 2);

		cache_key_stat(k, path);
	}
}

/* All that decides the module, told without reading the script's meaning, save for the files that its points
 * made it ask. Under this key the cache has their paths; with the same files as before, everything up to the
 * load can be left out. */
static bool find_script_key(struct run *r)
{
	name_list tapsets = { 0 };
	struct cache_key k;
	size_t of_user;

	if (!tapset_files(&r->translation, &tapsets, &of_user))
		return false;
	cache_key_init(&k);
	add_build_to_key(r, &k);
	kbuild_add_ages(&r->kbuild, &k);
	cache_key_stat(&k, "/proc/self/exe");
	cache_key_string(&k, r->translation.script_name);
	cache_key_add(&k, r->text, r->text_size);
	add_options_to_key(&r->options, &k);
	add_target_to_key(r, &k);
	vec_each(path, &tapsets) {
		cache_key_string(&k, *path);
		cache_key_stat(&k, *path);
	}
	r->key = k;
	r->script_key = cache_key_hex(r->arena, &k);
	return true;
}

static bool makes_module(const struct options *o)
{
	return o->last_pass >= 4 && !o->list && !o->list_variables && !o->dump && !o->simulate && !o->script_help;
}

/* sysfs gives its files a new time whenever they have been out of memory. vmlinux is the kernel's own, whose
 * build-id is in the key; modules come and go, but theirs are small. */
static void add_kernel_file_to_key(struct run *r, struct cache_key *k, const char *path)
{
	size_t size = 0;
	char *content = str_equal(path_base(path), "vmlinux") ? NULL : file_read(r->arena, path, &size);

	cache_key_add(k, content ? content : "", content ? size : 0);
}

/* Of the script with these files (each ends with a byte 0) as they are now. */
static const char *inputs_key(struct run *r, const char *paths, size_t size)
{
	struct cache_key k;

	cache_key_init(&k);
	cache_key_string(&k, r->script_key);
	for (const char *path = paths; path < paths + size; path += strlen(path) + 1) {
		cache_key_string(&k, path);
		if (str_starts(path, "/sys/"))
			add_kernel_file_to_key(r, &k, path);
		else
			cache_key_stat(&k, path);
	}
	return cache_key_hex(r->arena, &k);
}

static bool take_from_cache(struct run *r)
{
	const char *paths;
	size_t size;

	if (r->options.keep || !find_script_key(r))
		return false;
	paths = cache_get(&r->cache, r->script_key, &size);
	if (paths && (!size || !paths[size - 1]))
		r->image = cache_get(&r->cache, inputs_key(r, paths, size), &r->image_size);
	return r->image != NULL;
}

static void put_script(struct run *r)
{
	const struct map *inputs = &r->translation.inputs;
	struct text paths;

	text_init(&paths, r->arena);
	for (size_t i = 0; i < inputs->n; i++)
		text_add_n(&paths, inputs->entries[i].key, strlen(inputs->entries[i].key) + 1);
	cache_put(&r->cache, r->script_key, paths.s, paths.n);
	cache_put(&r->cache, inputs_key(r, paths.s, paths.n), r->image, r->image_size);
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
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(r->arena, "%s/tapcXXXXXX", tmp && *tmp ? tmp : "/tmp"), *image;

	if (!mkdtemp(dir)) {
		fprintf(stderr, "tapc: error: cannot make a folder '%s': %s\n", dir, strerror(errno));
		return NULL;
	}
	image = kbuild_module(&r->kbuild, &source, dir, &r->image_size);
	keep_files(r, dir);
	return image;
}

static bool build(struct run *r)
{
	const char *key;

	key = module_key(r);
	if (!r->options.keep)
		r->image = cache_get(&r->cache, key, &r->image_size);
	r->cached = r->image != NULL;
	if (!r->image)
		r->image = build_image(r);
	if (!r->image)
		return false;
	if (!r->cached)
		cache_put(&r->cache, key, r->image, r->image_size);
	/* Not where something was said: it would not be said the next time; nor where a name was looked up, which
	 * may mean another program the next time. */
	if (r->script_key && !r->translation.warnings && !r->translation.names_programs)
		put_script(r);
	return true;
}

static const char *module_name(struct run *r)
{
	if (r->options.module_name)
		return r->options.module_name;
	return arena_printf(r->arena, "tap_%.16s_%d", cache_key_hex(r->arena, &r->key), (int)getpid());
}

/* -p4: with -m the module stays in the current folder, else in the cache's place for it. */
static int leave_module(struct run *r)
{
	const char *name = module_name(r), *path;

	if (r->options.module_name)
		path = arena_printf(r->arena, "%s.ko", name);
	else
		path = arena_printf(r->arena, "/tmp/%s.ko", name);
	if (!kbuild_write(&r->kbuild, r->image, r->image_size, name, path))
		return TAP_STATUS_BUILD;
	printf("%s\n", path);
	return TAP_STATUS_OK;
}

static int launch(struct run *r)
{
	char path[] = "/tmp/tapcXXXXXX";
	int fd = mkstemp(path);
	char *image = NULL;
	size_t size = 0;

	if (fd < 0) {
		fprintf(stderr, "tapc: error: cannot make a file in /tmp: %s\n", strerror(errno));
		return TAP_STATUS_HOST;
	}
	close(fd);
	if (kbuild_write(&r->kbuild, r->image, r->image_size, module_name(r), path))
		image = file_read(r->arena, path, &size);
	unlink(path);
	if (!image)
		return TAP_STATUS_BUILD;
	cache_close(&r->cache);
	if (r->image_fd)
		return fd_write(r->image_fd, image, size) ? TAP_STATUS_OK : TAP_STATUS_HOST;
	return launch_module(&r->translation, image, size, r->target.release);
}

/* ---- the flow ---- */

static int run_script(struct run *r)
{
	struct options *o = &r->options;
	struct pass_clock clock = pass_start();

	if (!read_script(r) || !take_script_options(r))
		return TAP_STATUS_SCRIPT;
	if (makes_module(o) && !open_build(r))
		return TAP_STATUS_BUILD;
	if (makes_module(o) && take_from_cache(r)) {
		pass_end(r, clock, 4, "the same as before: took the module from the cache");
		return o->last_pass == 4 ? leave_module(r) : launch(r);
	}
	if (!parse(r))
		return TAP_STATUS_SCRIPT;
	if (o->script_help) {
		print_script_help(r);
		return TAP_STATUS_OK;
	}
	pass_end(r, clock, 1, "parsed the script and indexed the tapset library");
	if (o->dump)
		return dump(r) ? TAP_STATUS_OK : TAP_STATUS_SCRIPT;
	if (o->last_pass == 1) {
		list_script(r->script);
		return TAP_STATUS_OK;
	}

	clock = pass_start();
	if (!resolve(r))
		return o->list || o->list_variables ? TAP_STATUS_RUNTIME : TAP_STATUS_SCRIPT;
	pass_end(r, clock, 2, arena_printf(r->arena, "analyzed script: %zu probe(s), %zu function(s), "
					   "%zu global(s)", r->program.handlers.n, r->program.functions.n,
					   r->program.globals.n));
	if (r->translation.skipped_sites && o->verbose)
		fprintf(stderr, "wildcards left out %zu places that cannot be probed\n",
			r->translation.skipped_sites);
	if (o->source)
		return source_view(&r->translation, &r->program) ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
	if (o->list || o->list_variables)
		return list_sites(&r->program, o->list_variables) ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
	if (o->last_pass == 2) {
		list_program(&r->program);
		return TAP_STATUS_OK;
	}

	clock = pass_start();
	if (!emit(r))
		return TAP_STATUS_SCRIPT;
	pass_end(r, clock, 3, arena_printf(r->arena, "translated to %zu bytes of C", r->code.n));
	if (o->last_pass == 3) {
		fputs(r->code.s, stdout);
		if (r->embedded.n)
			printf("\n/* ---- embedded.c ---- */\n%s", r->embedded.s);
		return TAP_STATUS_OK;
	}
	if (o->simulate)
		return simulate_script(&r->translation, &r->code, &r->embedded);

	if (o->last_pass > 4 && !r->image_fd && !launch_is_possible(&r->translation, r->target.release))
		return TAP_STATUS_LOAD;
	clock = pass_start();
	if (!build(r))
		return TAP_STATUS_BUILD;
	pass_end(r, clock, 4, r->cached ? "took the module from the cache" : "built the module");
	if (o->last_pass == 4)
		return leave_module(r);
	return launch(r);
}

/* ---- for other machines ---- */

/* A translation is for one kernel: for another, it is done by a process of its own. */
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
		status = target_host_find(&r->target, &r->translation) ? run_script(r) : TAP_STATUS_USAGE;
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
	if (!read_script(r))
		return TAP_STATUS_SCRIPT;
	return remote_run(&r->translation, build_for, r);
}

/* The build's own use: C of the tapset files, for the runtime's archive. */
static int print_tapset_c(struct run *r)
{
	struct macros *macros = open_macros(r);
	struct text out;

	if (!library_open(&r->library, &r->translation, macros))	/* for its macros */
		return TAP_STATUS_HOST;
	text_init(&out, r->arena);
	vec_each(path, &r->options.args) {
		size_t size;
		char *text = file_read(r->arena, *path, &size);
		struct source *s;

		if (!text) {
			fprintf(stderr, "tapc: error: cannot read '%s': %s\n", *path, strerror(errno));
			return TAP_STATUS_HOST;
		}
		s = source_add(&r->translation, *path, text, size);
		s->is_library = s->is_system = true;
		emit_tapset(&r->translation, parse_script(&r->translation, s, macros), &out);
	}
	if (r->translation.errors)
		return TAP_STATUS_SCRIPT;
	fputs(out.s, stdout);
	return TAP_STATUS_OK;
}

static int clean_cache(struct run *r)
{
	if (!cache_open(&r->cache, &r->translation))
		return TAP_STATUS_HOST;
	cache_clean(&r->cache);
	cache_close(&r->cache);
	return TAP_STATUS_OK;
}

/* What was printed has to be written: a full disk is no success. */
static int finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (status != TAP_STATUS_OK)
		return status;
	fprintf(stderr, "tapc: error: cannot write the output: %s\n", strerror(errno));
	return TAP_STATUS_HOST;
}

int main(int argc, char **argv)
{
	struct run r = { .arena = arena_open() };
	int status;

	setlocale(LC_ALL, "C");
	status = options_parse(&r.options, r.arena, argc, argv);
	if (status >= 0)
		goto finish;
	r.translation = (struct translation){ .arena = r.arena, .options = &r.options, .header_types = header_types };
	if (r.options.tool) {
		status = launch_tool(&r.translation);
		goto finish;
	}
	map_init(&r.translation.said, r.arena);
	map_init(&r.translation.programs, r.arena);
	map_init(&r.translation.inputs, r.arena);
	map_init(&r.translation.strings, r.arena);
	status = TAP_STATUS_USAGE;
	if (!target_host_find(&r.target, &r.translation))
		goto finish;
	r.translation.target = &r.target;
	if (r.options.clean_cache)
		status = clean_cache(&r);
	if (r.options.tapset_c)
		status = print_tapset_c(&r);
	else if (r.options.remotes.n)
		status = run_remotely(&r);
	else if (!r.options.clean_cache || r.options.script_file || r.options.script_text)
		status = run_script(&r);
	if (r.cache.root)
		cache_close(&r.cache);
finish:
	status = finish_output(status);
	for (size_t i = 0; i < r.translation.programs.n; i++)
		debuginfo_close(r.translation.programs.entries[i].value);
	if (r.translation.kernel)
		debuginfo_close(r.translation.kernel);
	arena_close(r.arena);
	return status;
}
