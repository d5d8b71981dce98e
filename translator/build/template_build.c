/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building the runtime for a kernel, or more of it: kbuild makes a module of its sources and a stub script; the
 * results are kept, see template.c. */
#include "template_build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "kernel_target.h"
#include "manifest.h"
#include "object.h"
#include "template.h"
#include "source/options.h"
#include "base/progress.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"

_Static_assert(sizeof(TEMPLATE_NAME) == 56, "the longest name of a module");

struct build {
	struct template *tp;
	struct arena *arena;
	const char *out;		/* becomes the template */
	const char *dir;		/* kbuild's directory: KEY.build, or another one if make
					 * does not accept the cache's path */
	bool is_kept;			/* it is KEY.build */
	bool continues;			/* it has the template's parts */
	struct map needed;		/* names of the sources to be compiled */
	struct progress progress;
	struct text manifest, parts;
	struct text symbols;
	struct map seen;
	char *log;
};

static bool cannot_write(const char *path)
{
	return build_error("cannot write %s: %s", path, strerror(errno));
}

/* Others may read what is built for all users; kbuild's directory may be closed to them. */
static mode_t mode(const struct build *b)
{
	return b->tp->cache->is_shared ? 0755 : 0700;
}

static bool write_below(struct build *b, const char *dir, const char *name, const char *data, size_t size)
{
	const char *path = arena_printf(b->arena, "%s/%s", dir, name);
	const char *parent = arena_strndup(b->arena, path, (size_t)(strrchr(path, '/') - path));

	if (!dir_make(parent, mode(b)) || !file_write(path, data, size))
		return cannot_write(path);
	return true;
}

/* Write a file of the template and list it in the manifest. */
static bool keep(struct build *b, const char *name, const char *data, size_t size)
{
	text_add(&b->manifest, manifest_line(b->arena, name, data, size));
	return write_below(b, b->out, name, data, size);
}

static bool not_made(const char *path)
{
	return build_error("kbuild did not make %s", path);
}

static bool keep_built(struct build *b, const char *built, const char *name)
{
	const char *path = arena_printf(b->arena, "%s/%s", b->dir, built);
	size_t size;
	char *data = file_read(b->arena, path, &size);

	return data ? keep(b, name, data, size) : not_made(path);
}

/* An empty script, so that the runtime's references to a script can be linked. It also refers to
 * the functions that compilers call implicitly, and to some that embedded C often calls, if this kernel
 * exports them, so that mod.o has their versions for every script. .discard.* is dropped by module.lds. */
static const char *stub_script(struct build *b)
{
	static const char *const helpers[] = {
		"memcpy", "memmove", "memset", "memcmp", "__memcpy", "__memset", "__memmove",
		"strlen", "__stack_chk_fail", "__stack_chk_guard", "__x86_return_thunk",
		"__x86_indirect_thunk_rax", "__x86_indirect_thunk_rbx", "__x86_indirect_thunk_rcx",
		"__x86_indirect_thunk_rdx", "__x86_indirect_thunk_rsi", "__x86_indirect_thunk_rdi",
		"__x86_indirect_thunk_rbp", "__x86_indirect_thunk_r8", "__x86_indirect_thunk_r9",
		"__x86_indirect_thunk_r10", "__x86_indirect_thunk_r11", "__x86_indirect_thunk_r12",
		"__x86_indirect_thunk_r13", "__x86_indirect_thunk_r14", "__x86_indirect_thunk_r15",
		"__udivdi3", "__divdi3", "__umoddi3", "__moddi3", "__ref_stack_chk_guard",
		"_printk", "printk", "jiffies", "snprintf", "sprintf", "strchr", "strcmp", "strlcpy", "strncmp",
		"strscpy", "strstr",
	};
	const char *path = arena_printf(b->arena, "%s/Module.symvers", b->tp->target->build);
	const char *exports = file_read(b->arena, path, NULL);
	struct text c;

	text_init(&c, b->arena);
	text_add(&c, "#include \"tap_script.h\"\n__typeof__(tap_script) tap_script;\n");
	for (size_t i = 0; exports && i < ARRAY_SIZE(helpers); i++) {
		const char *row = arena_printf(b->arena, "\t%s\tvmlinux\t", helpers[i]);

		if (strstr(exports, row))
			text_printf(&c, "__asm__(\".pushsection .discard.tap\\n\\t.dc.a %s\\n\\t"
					".popsection\");\n", helpers[i]);
	}
	return c.s;
}

static bool write_sources(struct build *b)
{
	const struct template_source *kbuild = parts_source(&b->tp->sources, "kernel/Kbuild");
	const char *stub = stub_script(b);

	vec_each(s, &b->tp->sources) {
		if (!s->text)
			return build_error("cannot read %s", s->path);
		if (!b->continues && !write_below(b, b->dir, s->name, s->text, s->size))
			return false;
		if (!str_ends(s->name, ".c") && !str_equal(s->name, "kernel/Kbuild") &&
		    !keep(b, arena_printf(b->arena, "include/%s", s->name), s->text, s->size))
			return false;
	}
	return keep(b, "Kbuild", kbuild->text, kbuild->size) &&
	       (b->continues || (write_below(b, b->dir, "Kbuild", kbuild->text, kbuild->size) &&
				 write_below(b, b->dir, "script.c", stub, strlen(stub))));
}

/* Is LINE a progress message of make or kbuild? With V=1, commands too. */
static bool is_progress(const char *line, size_t n)
{
	static const char *const starts[] = {
		"echo ", "test -e", "#", "single-build=", "need-", "/bin/false",
	};
	size_t blanks = strspn(line, " \t");
	const char *bar = memchr(line, '|', n < 12 ? n : 12);

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_starts(line, starts[i]))
			return true;
	/* "make: *** No rule ..." is a message that is needed, "make: *** [file] Error 1" only repeats one */
	if (str_starts(line, "make"))
		return !memmem(line, n, "***", 3) || memmem(line, n, "] Error ", 8) ||
		       memmem(line, n, "Waiting for", 11);
	/* the compiler shows source after "  12 |", and "from" for the including file */
	return n > 2000 || (blanks && !bar && !str_starts(line + blanks, "from "));
}

void template_print_log(const char *log, bool all)
{
	while (*log) {
		size_t n = strcspn(log, "\n");

		if (all || !is_progress(log, n))
			fprintf(stderr, "%.*s\n", (int)n, log);
		log += n + (log[n] == '\n');
	}
}

static bool make_failed(struct build *b)
{
	const struct kernel_target *k = b->tp->target;

	if (build_ran_out_of_space(b->log, b->dir))
		return build_error("no space left on the device of %s, where the runtime for kernel %s "
				"is built", b->dir, k->release);
	template_print_log(b->log, options_verbose(b->tp->options, 4) > 2);
	if (!str_equal(k->compiler, k->compiler_named))
		return build_error("the runtime could not be built for kernel %s with %s; the kernel "
				   "was built with %s, which may help if you install it",
				   k->release, k->compiler, k->compiler_named);
	return build_error("the runtime could not be built for kernel %s; -vvv shows the build",
			k->release);
}

static const char *sources_argument(struct build *b)
{
	struct text t;

	text_init(&t, b->arena);
	text_add(&t, "TAP_SOURCES=");
	for (size_t i = 0; i < b->needed.n; i++)
		text_printf(&t, "%s ", b->needed.entries[i].key);
	return t.s;
}

static int make(struct build *b)
{
	const char *args[] = { "TAP_NAME=" TEMPLATE_NAME, sources_argument(b) };
	struct template *tp = b->tp;

	return kernel_target_make(tp->target, tp->arena, b->dir, args, ARRAY_SIZE(args), &b->progress, &b->log);
}

/* kbuild's directory may be damaged. */
static int make_again(struct build *b)
{
	dir_remove(b->dir);
	b->continues = false;
	return mkdir(b->dir, 0700) == 0 && write_sources(b) ? make(b) : -1;
}

/* Another part is needed, and parts.c did not find it in the text. */
static int make_all(struct build *b)
{
	if (options_verbose(b->tp->options, 4))
		fprintf(stderr, "tapc: note: the parts that the script needs are not complete; all are built\n");
	parts_all(&b->needed, &b->tp->sources);
	return make(b);
}

static bool run_make(struct build *b)
{
	struct template *tp = b->tp;
	int status = make(b);

	if (status && b->continues && !build_ran_out_of_space(b->log, b->dir))
		status = make_again(b);
	if (status && strstr(b->log, "undefined!"))
		status = make_all(b);
	progress_end(&b->progress);
	if (status)
		return make_failed(b);
	if (options_verbose(tp->options, 4) > 1)
		template_print_log(b->log, options_verbose(tp->options, 4) > 2);
	return true;
}

static void add_symbol(void *data, const char *name, bool defined)
{
	struct build *b = data;

	(void)defined;
	if (map_set(&b->seen, arena_strdup(b->arena, name), b))
		text_printf(&b->symbols, "%s\n", name);
}

static const char *object_name(struct build *b, const char *source)
{
	return arena_printf(b->arena, "%.*s.o", (int)strlen(source) - 2, source);
}

/* The line in the file "parts" for the object of SOURCE; NULL: there is no object. */
static const char *part_line(struct build *b, const char *source)
{
	size_t size;
	char *data = file_read(b->arena, arena_printf(b->arena, "%s/%s", b->dir, object_name(b, source)), &size);

	return data ? manifest_line(b->arena, source, data, size) : NULL;
}

static bool keep_part(struct build *b, const char *source)
{
	const char *line = part_line(b, source);

	if (!line)
		return not_made(arena_printf(b->arena, "%s/%s", b->dir, object_name(b, source)));
	text_add(&b->parts, line);
	return true;
}

/* Archive all objects except the stub. Names may repeat (core/map.o, kernel/map.o): ar must append, not replace. */
static bool keep_archive(struct build *b)
{
	VEC(const char *) argv = { 0 };
	struct command c = { .dir = b->dir, .env = kernel_target_environment(b->arena, NULL, 0),
			     .capture = true };
	const char *ld = b->tp->recipe.link.n ? b->tp->recipe.link.items[0] : "ld";
	size_t n = strlen(ld);

	*vec_add(b->arena, &argv) = strstr(path_base(ld), "lld") ? "llvm-ar" :
		str_ends(ld, "ld") ? arena_printf(b->arena, "%.*sar", (int)n - 2, ld) : "ar";
	*vec_add(b->arena, &argv) = "qcs";
	*vec_add(b->arena, &argv) = "libtap.a";
	vec_each(s, &b->tp->sources) {
		if (!map_get(&b->needed, s->name))
			continue;
		if (!keep_part(b, s->name))
			return false;
		*vec_add(b->arena, &argv) = object_name(b, s->name);
	}
	*vec_add(b->arena, &argv) = NULL;
	c.argv = argv.items;
	unlink(arena_printf(b->arena, "%s/libtap.a", b->dir));	/* of a smaller template */
	if (command_run(b->arena, &c) != 0)
		return build_error("'%s' failed: %s", argv.items[0], c.output ? c.output : strerror(errno));
	return keep_built(b, "libtap.a", "libtap.a");
}

/* A script may refer to symbols that the runtime defines or imports. */
static bool keep_symbols(struct build *b)
{
	const char *linked = arena_printf(b->arena, "%s/%s.o", b->dir, TEMPLATE_NAME);
	size_t size;
	char *image = file_read(b->arena, linked, &size);

	text_init(&b->symbols, b->arena);
	map_init(&b->seen, b->arena);
	/* if this is not ELF (LTO), the symbols are unknown and scripts are built by kbuild */
	if (!image || !object_symbols(image, size, add_symbol, b))
		b->tp->recipe = (struct recipe){ 0 };
	return keep(b, "symbols", b->symbols.s, b->symbols.n);
}

static bool keep_results(struct build *b)
{
	struct template *tp = b->tp;
	const char *commands;

	/* kbuild runs only the commands for what is new, and shows only these */
	if (!b->continues && !recipe_record(&tp->recipe, b->arena, b->dir, TEMPLATE_NAME, b->log))
		tp->recipe = (struct recipe){ 0 };
	if (!keep_archive(b) || !keep_symbols(b) ||
	    !keep_built(b, TEMPLATE_NAME ".mod.o", "mod.o"))
		return false;
	if (file_exists(arena_printf(b->arena, "%s/.module-common.o", b->dir)) &&
	    !keep_built(b, ".module-common.o", "module-common.o"))
		return false;
	commands = recipe_write(&tp->recipe, b->arena);
	return keep_built(b, "base.o", "base.o") &&
	       keep(b, "recipe", commands, strlen(commands)) &&
	       keep(b, "parts", b->parts.s, b->parts.n) &&
	       write_below(b, b->out, "manifest", b->manifest.s, b->manifest.n);
}

/* make does not accept spaces, colons or dollar signs in M=. */
static bool path_suits_make(const char *path)
{
	return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "/._-+,@")] == '\0';
}

/* A directory that make accepts; it is removed at the end. */
static const char *other_directory(struct build *b)
{
	char *dir = (char *)safe_temporary(b->arena);

	dir = dir ? safe_dir_new(b->arena, path_suits_make(dir) ? dir : "/tmp", "tapc-build.") : NULL;
	if (dir)
		safe_path_own(dir);
	return dir;
}

/* Are all parts of the template in kbuild's directory, as they were made? */
static bool can_continue(struct build *b)
{
	const struct map *parts = &b->tp->parts;
	const char *line;

	if (!b->tp->ready || unlink(arena_printf(b->arena, "%s/clean", b->dir)) < 0)
		return false;
	for (size_t i = 0; i < parts->n; i++) {
		line = part_line(b, parts->entries[i].key);
		if (!line || strncmp(line, parts->entries[i].value, strlen(parts->entries[i].value)) != 0)
			return false;
	}
	return true;
}

static bool open_directory(struct build *b)
{
	char *kernels = realpath(arena_printf(b->arena, "%s/kernels", b->tp->cache->root), NULL);

	b->dir = arena_printf(b->arena, "%s/%s.build", kernels ? kernels : "", b->tp->key);
	free(kernels);
	b->is_kept = path_suits_make(b->dir);
	if (!b->is_kept) {
		parts_all(&b->needed, &b->tp->sources);
		b->dir = other_directory(b);
		return b->dir;
	}
	b->continues = can_continue(b);
	if (b->continues)
		return true;
	dir_remove(b->dir);
	return mkdir(b->dir, 0700) == 0;
}

static bool is_whole(struct build *b)
{
	struct map all;

	map_init(&all, b->arena);
	parts_all(&all, &b->tp->sources);
	return b->needed.n == all.n;
}

/* After a failure nothing is left: the next run could not continue in there. */
static void close_directory(struct build *b, bool done)
{
	if (!done || !b->is_kept || is_whole(b))
		dir_remove(b->dir);
	else
		file_write(arena_printf(b->arena, "%s/clean", b->dir), "", 0);
}

/* Make way for the new directory, since a directory can only be renamed onto an empty one. On overlayfs a directory
 * of a lower layer, such as one of a container's image, cannot be renamed at all. */
static bool move_aside(const char *dir, const char *aside)
{
	if (!dir_exists(dir) || rename(dir, aside) == 0)
		return true;
	if (errno != EXDEV)
		return cannot_write(aside);
	dir_remove(dir);
	return true;
}

/* Exchange it with an existing directory, which other runs may be using, or, if the file system cannot do that, replace
 * that. */
static bool put_in_place(struct build *b)
{
	const char *aside = arena_printf(b->arena, "%s/old", b->out);

	if (renameat2(AT_FDCWD, b->out, AT_FDCWD, b->tp->dir, RENAME_EXCHANGE) == 0) {
		dir_remove(b->out);
		return true;
	}
	if (!move_aside(b->tp->dir, aside))
		return false;
	if (rename(b->out, b->tp->dir) < 0)
		return cannot_write(b->tp->dir);
	dir_remove(arena_printf(b->arena, "%s/old", b->tp->dir));
	return true;
}

static size_t new_parts(struct build *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->needed.n; i++)
		n += !b->continues || !map_get(&b->tp->parts, b->needed.entries[i].key);
	return n;
}

static void start_progress(struct build *b)
{
	const struct template *tp = b->tp;
	bool tells = !b->continues || options_verbose(tp->options, 4);
	enum progress_kind kind = progress_kind(tells ? PROGRESS_LINE : PROGRESS_NONE);

	/* the stub, and mod.c, too */
	progress_start(&b->progress, tp->options->quiet ? PROGRESS_NONE : kind,
		       arena_printf(b->arena, b->continues ? "building more of the runtime for kernel %s" :
				    "building the runtime for kernel %s (once)", tp->target->release),
		       new_parts(b) + 1 + !b->continues);
}

static bool build_in(struct build *b)
{
	bool done;

	if (!open_directory(b))
		return cannot_write(b->dir ? b->dir : b->out);
	text_init(&b->parts, b->arena);
	text_init(&b->manifest, b->arena);
	text_add(&b->manifest, TEMPLATE_FORMAT "\n");
	start_progress(b);
	done = write_sources(b) && run_make(b) && keep_results(b);
	progress_end(&b->progress);
	close_directory(b, done);
	return done && put_in_place(b);
}

bool template_build(struct template *tp, const struct map *needed)
{
	struct arena *a = tp->arena;
	char *out = arena_printf(a, "%s/kernels/.tmp-%s-XXXXXX", tp->cache->root, tp->key);
	struct build b = { .tp = tp, .arena = a, .out = out, .needed = *needed };

	if (!mkdtemp(out))
		return cannot_write(out);
	if (chmod(out, mode(&b)) == 0 && build_in(&b))
		return true;
	dir_remove(out);
	return false;
}
