/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C text -> kernel module.
 *
 * The fast way replays the commands that kbuild used for the template: compile, objtool, link with the runtime's
 * archive. That is sound because a script imports no kernel symbols itself: modversions and dependencies are
 * those of the template. C written by the user may import some, and is compiled with the kernel's headers. The slow way
 * is taken for a script whose objects refer to a symbol that the template does not have, for C of the user that exports
 * something or has an error, and for --kbuild: kbuild makes a module of script and archive. */
#include "kbuild.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "gate.h"
#include "source/installation.h"
#include "object.h"
#include "template_build.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"

/* The directory of the runtime's sources: -R, or TAPC_RUNTIME of the environment, or among
 * tapc's installed files. */
static const char *kbuild_runtime_dir(const struct options *o)
{
	const char *dir = o->runtime_dir;

	if (!dir)
		dir = getenv("TAPC_RUNTIME");
	return dir && *dir ? dir : installation_dir(o->arena, "runtime");
}

bool kbuild_open(struct kbuild *kb, const struct options *o, struct target_host *host, struct cache *c)
{
	*kb = (struct kbuild){ .arena = c->arena, .options = o, .cache = c };
	return kernel_target_find(&kb->target, o, host) &&
	       template_open(&kb->template, o, c, &kb->target, kbuild_runtime_dir(o));
}

const char *kbuild_key(struct kbuild *kb)
{
	return template_key(&kb->template);
}

void kbuild_add_ages(const struct kbuild *kb, struct cache_key *k)
{
	template_add_ages(&kb->template, k);
}

static bool put(const char *path, const char *text, size_t size)
{
	return file_write(path, text, size) ||
	       build_error("cannot write %s: %s", path, strerror(errno));
}

/* --- replay -------------------------------------------------------------------------------- */

struct argv {
	const char **items;
	size_t n, room;
};

static void add(struct kbuild *kb, struct argv *v, const char *word)
{
	*vec_add(kb->arena, v) = word;
}

static struct argv step_start(struct kbuild *kb, const struct step *s)
{
	struct argv v = { 0 };

	for (size_t i = 0; i < s->n; i++)
		add(kb, &v, s->items[i]);
	return v;
}

/* Run a step in the directory in which kbuild would. Returns its output, and its exit status in *STATUS. */
static const char *run(struct kbuild *kb, struct argv *v, int *status)
{
	const struct template *tp = &kb->template;
	struct command c = {
		.dir = tp->recipe.dir[0] ? tp->recipe.dir : tp->dir,
		.env = kernel_target_environment(kb->arena, tp->recipe.environment.items,
						 tp->recipe.environment.n),
		.capture = true,
	};

	add(kb, v, NULL);
	c.argv = v->items;
	*status = command_run(kb->arena, &c);
	if (*status < 0)
		return arena_printf(kb->arena, "%s: %s\n", v->items[0], strerror(errno));
	return c.output;
}

static bool compiler_failed(const char *output, const char *dir)
{
	if (build_ran_out_of_space(output, dir))
		return build_error("no space left on the device of %s or of temporary files", dir);
	error_print("the C compiler failed on the generated code (this is a defect of tapc; -k keeps the files)");
	fputs(output, stderr);
	return false;
}

static bool step_failed(const char *what, const char *output, const char *object)
{
	if (build_ran_out_of_space(output, object))
		return build_error("no space left on the device of %s", object);
	error_print("%s failed; --kbuild uses the kernel's own build instead", what);
	fputs(output, stderr);
	return false;
}

/* Only developers of tapc need warnings about generated code. */
static void show_output(struct kbuild *kb, const char *output)
{
	if (options_verbose(kb->options, 4) > 1)
		fputs(output, stderr);
}

/* Bytes of C above which a fast compile matters more than a fast handler: about 1,000 handlers. */
enum { LARGE_SCRIPT = 1 << 20 };

static void add_defines(struct kbuild *kb, struct argv *v)
{
	vec_each(d, &kb->options->defines)
		add(kb, v, arena_printf(kb->arena, d->value ? "-D%s=%s" : "-D%s", d->name, d->value));
}

static void add_include(struct kbuild *kb, struct argv *v, const char *dir)
{
	add(kb, v, arena_printf(kb->arena, "-I%s", template_file(&kb->template, dir)));
}

/* Compile C_FILE with V. Returns the compiler's exit status, and what it printed in *OUTPUT. */
static int run_compiler(struct kbuild *kb, struct argv *v, const char *c_file, const char *object, const char **output)
{
	int status;

	add(kb, v, "-pipe");
	add(kb, v, "-o");
	add(kb, v, object);
	add(kb, v, c_file);
	*output = run(kb, v, &status);
	return status;
}

static bool compile(struct kbuild *kb, const char *c_file, const char *object, const char *dir, const char *option)
{
	struct argv v = step_start(kb, &kb->template.recipe.compile);
	const char *output;
	struct stat st;

	add_include(kb, &v, "include/abi");
	add_include(kb, &v, "include");			/* core/regex.h */
	add_defines(kb, &v);
	if (stat(c_file, &st) == 0 && st.st_size > LARGE_SCRIPT)
		add(kb, &v, "-Og");
	if (option)
		add(kb, &v, option);
	if (run_compiler(kb, &v, c_file, object, &output))
		return compiler_failed(output, dir);
	show_output(kb, output);
	return true;
}

/* False, without a message, if the compiler finds an error, which kbuild shows. */
static bool compile_embedded(struct kbuild *kb, const char *c_file, const char *object)
{
	struct argv v = step_start(kb, &kb->template.recipe.compile_embedded);
	const char *output;

	/* as in Kbuild */
	add_include(kb, &v, "include");
	add_include(kb, &v, "include/abi");
	add_include(kb, &v, "include/kernel");
	add_defines(kb, &v);
	if (run_compiler(kb, &v, c_file, object, &output))
		return false;
	show_output(kb, output);
	return true;
}

static bool check(struct kbuild *kb, const char *object)
{
	struct argv v = step_start(kb, &kb->template.recipe.check);
	const char *output;
	int status;

	if (!v.n)
		return true;
	add(kb, &v, object);
	output = run(kb, &v, &status);
	if (status)
		return step_failed("objtool", output, object);
	show_output(kb, output);
	return true;
}

/* Link the script, the parts of the runtime that it uses, and in the last step the module's own objects. */
static bool link_objects(struct kbuild *kb, const struct step *s, const char *out, const char *first,
			 const char *second, bool runtime, bool module)
{
	const struct template *tp = &kb->template;
	struct argv v = step_start(kb, s);
	const char *output;
	int status;

	add(kb, &v, "-o");
	add(kb, &v, out);
	add(kb, &v, first);
	if (second)
		add(kb, &v, second);
	if (runtime) {
		add(kb, &v, template_file(tp, "base.o"));
		add(kb, &v, template_file(tp, "libtap.a"));
	}
	if (module)
		add(kb, &v, template_file(tp, "mod.o"));
	if (module && tp->has_common)
		add(kb, &v, template_file(tp, "module-common.o"));
	output = run(kb, &v, &status);
	if (status)
		return step_failed("linking the module", output, first);
	show_output(kb, output);
	return true;
}

struct symbols {
	struct kbuild *kb;
	struct map defined;
	struct text unknown;		/* names, separated by blanks */
};

static void add_definition(void *data, const char *name, bool defined)
{
	struct symbols *s = data;

	if (defined)
		map_set(&s->defined, name, s);
}

static void add_unknown(struct symbols *s, const char *name)
{
	text_printf(&s->unknown, "%s%s", s->unknown.n ? " " : "", name);
}

/* What the user's C defines: if the template has it, too, it is for kbuild to link that, or to show why it cannot. */
static void add_embedded_definition(void *data, const char *name, bool defined)
{
	struct symbols *s = data;

	if (defined && map_get(&s->kb->template.symbols, name))
		add_unknown(s, name);
	add_definition(data, name, defined);
}

static void check_import(void *data, const char *name, bool defined)
{
	struct symbols *s = data;

	if (!defined && !map_get(&s->kb->template.symbols, name) && !map_get(&s->defined, name))
		add_unknown(s, name);
}

/* The symbols for which the objects, of which the second one may be NULL, cannot be linked with the template: they need
 * them, and neither they nor the template have them, or both have them. NULL: they can be linked. */
static const char *unknown_symbols(struct kbuild *kb, const char *script, const char *embedded)
{
	const char *files[] = { script, embedded };
	struct symbols s = { .kb = kb };
	char *images[2];
	size_t sizes[2], n = embedded ? 2 : 1;

	text_init(&s.unknown, kb->arena);
	map_init(&s.defined, kb->arena);
	for (size_t i = 0; i < n; i++) {
		images[i] = file_read(kb->arena, files[i], &sizes[i]);
		if (!images[i] ||
		    !object_symbols(images[i], sizes[i], i ? add_embedded_definition : add_definition, &s))
			return "(unreadable)";
	}
	for (size_t i = 0; i < n; i++)
		object_symbols(images[i], sizes[i], check_import, &s);
	return s.unknown.n ? s.unknown.s : NULL;
}

/* Do the objects need only what they and the template have, of which more may have to be built? False with a message if
 * that fails. */
static bool complete(struct kbuild *kb, const char *script, const char *embedded, bool *fits)
{
	const char *unknown = unknown_symbols(kb, script, embedded);

	if (unknown && !template_extend(&kb->template, unknown))
		return false;
	unknown = unknown ? unknown_symbols(kb, script, embedded) : NULL;
	if (unknown && options_verbose(kb->options, 4))
		fprintf(stderr, "tapc: note: kbuild builds the script, as the runtime cannot be linked for '%s'\n", unknown);
	*fits = !unknown;
	return *fits;
}

/* *FITS is false if the script cannot be built this way. */
static bool replay(struct kbuild *kb, const struct module_source *s, const char *dir, const char *out, bool *fits)
{
	struct arena *a = kb->arena;
	const struct recipe *r = &kb->template.recipe;
	const char *c_file = arena_printf(a, "%s/script.c", dir), *embedded_c = arena_printf(a, "%s/embedded.c", dir);
	const char *object = arena_printf(a, "%s/script.o", dir);
	const char *embedded = s->embedded ? arena_printf(a, "%s/embedded.o", dir) : NULL;
	const char *linked = arena_printf(a, "%s/linked.o", dir);

	*fits = true;
	if (!put(c_file, s->script, strlen(s->script)) ||
	    (embedded && !put(embedded_c, s->embedded, strlen(s->embedded))))
		return false;
	*fits = !embedded || compile_embedded(kb, embedded_c, embedded);
	if (!*fits || !compile(kb, c_file, object, dir, NULL) || !complete(kb, object, embedded, fits))
		return false;
	if (r->check.n && r->check_linked)
		return link_objects(kb, &r->link, linked, object, embedded, true, false) &&
		       check(kb, linked) &&
		       link_objects(kb, &r->final, out, linked, NULL, false, true);
	return check(kb, object) && (!embedded || check(kb, embedded)) &&
	       link_objects(kb, &r->final, out, object, embedded, true, true);
}

/* --- kbuild -------------------------------------------------------------------------------- */

static const char *defines_header(struct kbuild *kb)
{
	struct text h;

	text_init(&h, kb->arena);
	vec_each(d, &kb->options->defines)
		text_printf(&h, "#define %s %s\n", d->name, d->value ? d->value : "1");
	return h.s;
}

static bool kbuild_failed(struct kbuild *kb, const char *log, const char *dir, bool embedded)
{
	if (build_ran_out_of_space(log, dir))
		return build_error("no space left on the device of %s", dir);
	template_print_log(log, options_verbose(kb->options, 4) > 2);
	if (embedded)
		return build_error("the script's C code cannot be built for kernel %s; -k keeps the "
				   "files", kb->target.release);
	return build_error("the kernel's build failed on the generated code (this is a defect of tapc; "
			   "-k keeps the files)");
}

static const char *real_path(struct arena *a, const char *path)
{
	char *real = realpath(path, NULL);
	const char *kept = arena_strdup(a, real ? real : path);

	free(real);
	return kept;
}

/* ld reads a text file as a linker script: through this one it finds what the objects use in the archive. */
static bool write_tree(struct kbuild *kb, const struct module_source *s, const char *dir)
{
	struct arena *a = kb->arena;
	struct template *tp = &kb->template;
	const char *at = arena_printf(a, "%s/template", dir);
	/* modpost searches each object's record for its sources */
	static const char record[] = "# an archive of tapc\n";
	const char *defines = defines_header(kb), *library;
	size_t size = 0;
	char *kbuild = file_read(a, template_file(tp, "Kbuild"), &size);

	/* make may not accept the cache's own path */
	unlink(at);
	if (symlink(tp->dir, at) < 0)
		return build_error("cannot write %s: %s", at, strerror(errno));
	library = arena_printf(a, "INPUT(%s/base.o %s/libtap.a)\n", at, at);
	return kbuild && put(arena_printf(a, "%s/Kbuild", dir), kbuild, size) &&
	       put(arena_printf(a, "%s/script.c", dir), s->script, strlen(s->script)) &&
	       put(arena_printf(a, "%s/runtime.o", dir), library, strlen(library)) &&
	       put(arena_printf(a, "%s/.runtime.o.cmd", dir), record, strlen(record)) &&
	       (!*defines || put(arena_printf(a, "%s/defines.h", dir), defines, strlen(defines))) &&
	       (!s->embedded ||
		put(arena_printf(a, "%s/embedded.c", dir), s->embedded, strlen(s->embedded)));
}

static bool by_kbuild(struct kbuild *kb, const struct module_source *s, const char *dir, const char **out)
{
	struct arena *a = kb->arena;
	const char *tree = arena_printf(a, "%s/kbuild", real_path(a, dir));
	const char *args[] = {
		"TAP_NAME=" TEMPLATE_NAME,
		arena_printf(a, "TAP_RUNTIME=%s/template", tree),
		s->embedded ? "TAP_EMBEDDED=embedded.o" : "TAP_EMBEDDED=",
	};
	char *log;

	if (!dir_make(tree, 0700))
		return build_error("cannot write %s: %s", tree, strerror(errno));
	if (!write_tree(kb, s, tree))
		return false;
	if (kernel_target_make(&kb->target, kb->arena, tree, args, ARRAY_SIZE(args), NULL, &log))
		return kbuild_failed(kb, log, tree, s->embedded != NULL);
	if (options_verbose(kb->options, 4) > 1)
		template_print_log(log, options_verbose(kb->options, 4) > 2);
	*out = arena_printf(a, "%s/%s.ko", tree, TEMPLATE_NAME);
	return true;
}

/* --- types --------------------------------------------------------------------------------- */

bool kbuild_types(struct kbuild *kb, const char *text, const char *dir, const char **object, char **log)
{
	static const char rules[] = "obj-m := types.o\nccflags-y := -g -fno-eliminate-unused-debug-types -w\n";
	struct arena *a = kb->arena;
	const char *source = arena_printf(a, "%s\n#include <linux/module.h>\nMODULE_LICENSE(\"GPL\");\n", text);

	*object = arena_printf(a, "%s/types.o", dir);
	return put(arena_printf(a, "%s/Kbuild", dir), rules, strlen(rules)) &&
	       put(arena_printf(a, "%s/types.c", dir), source, strlen(source)) &&
	       kernel_target_make(&kb->target, kb->arena, dir, NULL, 0, NULL, log) == 0;
}

/* --- module -------------------------------------------------------------------------------- */

/* All C of the module besides the runtime. */
static const char *all_text(struct kbuild *kb, const struct module_source *s)
{
	return s->embedded ? arena_printf(kb->arena, "%s\n%s", s->script, s->embedded) : s->script;
}

/* Sign the module with the kernel's own tool and the key that the machine's owner has enrolled;
 * file names are those the kernel uses for its own key. */
static bool sign(struct kbuild *kb, const char *path)
{
	struct arena *a = kb->arena;
	const char *dir = kb->options->sign_module;
	const char *tool = arena_printf(a, "%s/scripts/sign-file", kb->target.build);
	const char *key = arena_printf(a, "%s/signing_key.pem", dir);
	const char *certificate = arena_printf(a, "%s/signing_key.x509", dir);
	const char *argv[] = { tool, "sha256", key, certificate, path, NULL };
	struct command c = { .argv = argv, .capture = true };

	if (!file_exists(key) || !file_exists(certificate))
		return build_error("--sign-module: no signing_key.pem and signing_key.x509 in %s; openssl req "
				   "creates them, and mokutil --import enrolls the certificate", dir);
	if (command_run(a, &c) == 0)
		return true;
	return build_error("%s cannot sign the module: %s", tool, c.output ? c.output : strerror(errno));
}

/* The script, and in a section that the kernel does not load the module tap_gate, which the loader does. NULL, with a
 * message: that cannot be written, or not be signed. */
static const char *with_gate(struct kbuild *kb, const char *script, const char *dir)
{
	struct arena *a = kb->arena;
	const char *file = arena_printf(a, "%s/tap_gate.ko", dir);
	size_t size;
	const char *image = gate_is_wanted(script) ? gate_image(&kb->template, dir, &size) : NULL;

	if (!image)
		return script;
	if (!put(file, image, size) || (kb->options->sign_module && !sign(kb, file)))
		return NULL;
	return arena_printf(a, "%s\n__asm__(\".pushsection .tap_gate,\\\"\\\",@progbits\\n\\t.incbin \\\"%s\\\"\\n\\t"
			    ".popsection\");\n", script, file);
}

/* Build the module the fast way or the slow way; returns its file. */
static const char *build(struct kbuild *kb, const struct module_source *s, const char *dir)
{
	struct arena *a = kb->arena;
	const char *out = arena_printf(a, "%s/module.ko", dir);
	/* kbuild computes the versions of what it exports */
	bool exports = s->embedded && strstr(s->embedded, "EXPORT_SYMBOL");
	bool fits = kb->template.replay && !kb->options->kbuild && !exports;

	if (fits) {
		if (replay(kb, s, dir, out, &fits))
			return out;
		if (fits)
			return NULL;
	}
	return template_extend(&kb->template, all_text(kb, s)) && by_kbuild(kb, s, dir, &out) ? out : NULL;
}

const char *kbuild_stack_usage(struct kbuild *kb, const char *script, const char *dir)
{
	struct arena *a = kb->arena;
	const char *real, *c_file, *usage;
	size_t size;

	if (!template_prepare(&kb->template, script))
		return NULL;
	if (!kb->template.replay)
		return "";
	real = real_path(a, dir);
	c_file = arena_printf(a, "%s/script.c", real);
	if (!put(c_file, script, strlen(script)) ||
	    !compile(kb, c_file, arena_printf(a, "%s/script.o", real), real, "-fstack-usage"))
		return NULL;
	usage = file_read(a, arena_printf(a, "%s/script.su", real), &size);
	return usage ? usage : "";
}

char *kbuild_module(struct kbuild *kb, const struct module_source *source, const char *dir, size_t *size)
{
	struct module_source whole = *source;
	const char *file;
	char *image;

	if (!template_prepare(&kb->template, all_text(kb, source)))
		return NULL;
	/* commands run in another directory */
	dir = real_path(kb->arena, dir);
	whole.script = with_gate(kb, source->script, dir);
	if (!whole.script)
		return NULL;
	file = build(kb, &whole, dir);
	if (!file)
		return NULL;
	image = file_read(kb->arena, file, size);
	if (!image)
		build_error("cannot read %s: %s", file, strerror(errno));
	return image;
}

/* Is NAME a valid name for a module: letters, digits and '_', at most 55 of them? */
static bool kbuild_name_is_good(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 0 && !name[n] && n < sizeof(TEMPLATE_NAME);
}

/* The image with its signature, which the tool appends. */
static char *signed_image(struct kbuild *kb, const char *image, size_t *size, const char *name)
{
	struct arena *a = kb->arena;
	const char *dir = safe_work_dir(a), *path = arena_printf(a, "%s/%s.ko", dir ? dir : "", name);
	char *done = NULL;

	if (!dir)
		return NULL;
	if (put(path, image, *size) && sign(kb, path)) {
		done = file_read(a, path, size);
		if (!done)
			build_error("cannot read %s: %s", path, strerror(errno));
	}
	dir_remove(dir);
	return done;
}

char *kbuild_finish(struct kbuild *kb, const char *image, size_t size, const char *name, size_t *finished)
{
	char *copy = arena_alloc(kb->arena, size);

	memcpy(copy, image, size);
	*finished = size;
	if (!kbuild_name_is_good(name))
		build_error("'%s' is not a module name: expected letters, digits and '_', at most %zu",
			    name, sizeof(TEMPLATE_NAME) - 1);
	else if (!object_rename_module(copy, size, TEMPLATE_NAME, name))
		build_error("the module has no place for its name (this is a defect of tapc)");
	else
		return kb->options->sign_module ? signed_image(kb, copy, finished, name) : copy;
	return NULL;
}
