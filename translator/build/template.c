/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime, built once for a kernel.
 *
 * The sources and a stub in place of a script are built with the kernel's kbuild. The results that are kept are
 * the objects as an archive, the module's own object (mod.o, with modversions and struct module), the headers and
 * the commands (recipe.h). A script is then linked with these without kbuild.
 *
 * In the cache a template is the directory kernels/KEY. It is made as kernels/.tmp-KEY-XXXXXX by the holder of
 * the lock kernels/KEY.lock and renamed when complete, so another run waits instead of building it twice, and the
 * next holder of the lock may remove what a killed run left. A manifest with sizes and hashes detects damage. */
#include "template.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "kernel_target.h"
#include "object.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/util.h"

/* Increment this when the contents of a template change. */
#define TEMPLATE_FORMAT "template 2"

_Static_assert(sizeof(TEMPLATE_NAME) == 56, "the longest name of a module");

/* --- sources and key ----------------------------------------------------------------------- */

static bool is_header(const char *name)
{
	return str_ends(name, ".h") || str_ends(name, ".def");
}

static bool is_source(const char *name)
{
	return str_ends(name, ".c") || is_header(name) || str_equal(name, "Kbuild");
}

static void find_sources(struct template *tp, const char *root, const char *below)
{
	struct arena *a = tp->arena;
	DIR *d = opendir(arena_printf(a, "%s/%s", root, below));

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		const char *name = arena_printf(a, "%s/%s", below, e->d_name);
		const char *path = arena_printf(a, "%s/%s", root, name);

		if (is_source(e->d_name))
			*vec_add(a, &tp->sources) = (struct template_source){ .name = name, .path = path };
		else if (e->d_name[0] != '.' && dir_exists(path))
			find_sources(tp, root, name);
	}
	closedir(d);
}

static int compare_sources(const void *a, const void *b)
{
	return strcmp(((const struct template_source *)a)->name,
		      ((const struct template_source *)b)->name);
}

/* The part of a key that depends on the kernel. */
static void add_target(const struct template *tp, struct cache_key *key)
{
	const struct kernel_target *k = tp->target;
	struct arena *a = tp->arena;
	const char *release = file_read(a, arena_printf(a, "%s/include/generated/utsrelease.h",
							k->build), NULL);

	cache_key_string(key, TEMPLATE_FORMAT);
	cache_key_string(key, k->release);
	cache_key_string(key, k->build);
	cache_key_string(key, k->build_id);
	cache_key_string(key, k->arch);
	cache_key_string(key, k->config);
	cache_key_string(key, release);
	cache_key_age(key, arena_printf(a, "%s/Module.symvers", k->build));
	cache_key_age(key, k->compiler_path);
	for (size_t i = 0; i < k->make_args.n; i++)
		cache_key_string(key, k->make_args.items[i]);
}

void template_add_ages(const struct template *tp, struct cache_key *k)
{
	add_target(tp, k);
	vec_each(s, &tp->sources)
		cache_key_age(k, s->path);
}

const char *template_key(struct template *tp)
{
	struct arena *a = tp->arena;
	struct cache_key key;

	if (tp->key)
		return tp->key;
	cache_key_init(&key);
	add_target(tp, &key);
	vec_each(s, &tp->sources) {
		s->text = file_read(a, s->path, &s->size);
		cache_key_string(&key, s->name);
		cache_key_add(&key, s->text ? s->text : "", s->text ? s->size : 0);
	}
	tp->key = cache_key_hex(a, &key);
	tp->dir = arena_printf(a, "%s/kernels/%s", tp->cache->root, tp->key);
	return tp->key;
}

static const struct template_source *source_find(struct template *tp, const char *name)
{
	vec_each(s, &tp->sources)
		if (str_equal(s->name, name))
			return s;
	return NULL;
}

bool template_open(struct template *tp, const struct options *o, struct cache *c,
		   const struct kernel_target *target, const char *runtime_dir)
{
	static const char *const parts[] = { "abi", "core", "kernel", "tapsets" };

	*tp = (struct template){ .arena = c->arena, .options = o, .cache = c, .target = target };
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t before = tp->sources.n;

		find_sources(tp, runtime_dir, parts[i]);
		if (tp->sources.n == before)
			return build_error("the runtime's sources are not in %s/%s: reinstall tapc, or name "
					"their directory with -R", runtime_dir, parts[i]);
	}
	if (!source_find(tp, "kernel/Kbuild") || !source_find(tp, "kernel/main.c"))
		return build_error("the runtime's sources are not in %s: reinstall tapc, or name "
				"their directory with -R", runtime_dir);
	qsort(tp->sources.items, tp->sources.n, sizeof(*tp->sources.items), compare_sources);
	return true;
}

const char *template_file(const struct template *tp, const char *name)
{
	return arena_printf(tp->arena, "%s/%s", tp->dir, name);
}

/* --- the manifest: the format, then lines of "SIZE HASH NAME" ------------------------------ */

static const char *manifest_line(struct arena *a, const char *name, const char *data, size_t size)
{
	return arena_printf(a, "%zu %016llx %s\n", size, (unsigned long long)hash_large(data, size), name);
}

static bool file_matches(struct template *tp, const char *line)
{
	const char *name = strrchr(line, ' ');
	size_t size;
	char *data = name ? safe_read(tp->arena, tp->dir, name + 1, &size) : NULL;
	const char *now = data ? manifest_line(tp->arena, name + 1, data, size) : "";

	return strncmp(now, line, strlen(line)) == 0 && now[strlen(line)] == '\n';
}

static bool template_is_sound(struct template *tp)
{
	char *text = safe_read(tp->arena, tp->dir, "manifest", NULL);
	char *line = text ? strsep(&text, "\n") : NULL;

	if (!line || !str_equal(line, TEMPLATE_FORMAT))
		return false;
	while ((line = strsep(&text, "\n")) && *line)
		if (!file_matches(tp, line))
			return false;
	/* the last line must be complete, with nothing after it */
	return line && !text;
}

/* Read an existing template; false if it does not exist or is damaged. Only the holder of the lock
 * reports damage: without the lock, another run may be rebuilding it. */
static bool template_load(struct template *tp, bool locked)
{
	struct arena *a = tp->arena;
	char *symbols, *commands;

	if (!dir_exists(tp->dir))
		return false;
	symbols = template_is_sound(tp) ? file_read(a, template_file(tp, "symbols"), NULL) : NULL;
	if (!symbols) {
		if (locked && options_verbose(tp->options, 4))
			fprintf(stderr, "tapc: note: %s is damaged and is rebuilt\n", tp->dir);
		return false;
	}
	map_init(&tp->symbols, a);
	for (char *name; (name = strsep(&symbols, "\n")) && *name;)
		map_set(&tp->symbols, name, name);
	commands = file_read(a, template_file(tp, "recipe"), NULL);
	tp->replay = commands && recipe_read(&tp->recipe, a, commands);
	tp->has_common = file_exists(template_file(tp, "module-common.o"));
	utimensat(AT_FDCWD, template_file(tp, "manifest"), NULL, 0);
	tp->ready = true;
	return true;
}

/* --- building ------------------------------------------------------------------------------ */

struct build {
	struct template *tp;
	struct arena *arena;
	const char *out;		/* becomes the template */
	const char *dir;		/* kbuild's directory: OUT/build, or another one if make
					 * does not accept the cache's path */
	struct text manifest;
	struct text symbols;
	struct map seen;
	char *log;
};

static bool cannot_write(const char *path)
{
	return build_error("cannot write %s: %s", path, strerror(errno));
}

static bool write_below(struct build *b, const char *dir, const char *name, const char *data, size_t size)
{
	const char *path = arena_printf(b->arena, "%s/%s", dir, name);
	const char *parent = arena_strndup(b->arena, path, (size_t)(strrchr(path, '/') - path));

	if (!dir_make(parent, 0700) || !file_write(path, data, size))
		return cannot_write(path);
	return true;
}

/* Write a file of the template and list it in the manifest. */
static bool keep(struct build *b, const char *name, const char *data, size_t size)
{
	text_add(&b->manifest, manifest_line(b->arena, name, data, size));
	return write_below(b, b->out, name, data, size);
}

static bool keep_built(struct build *b, const char *built, const char *name)
{
	const char *path = arena_printf(b->arena, "%s/%s", b->dir, built);
	size_t size;
	char *data = file_read(b->arena, path, &size);

	return data ? keep(b, name, data, size) : build_error("kbuild did not make %s", path);
}

/* An empty script, so that the runtime's references to a script can be linked. It also refers to
 * the functions that compilers call implicitly, if this kernel exports them, so that mod.o has
 * their versions for every script. .discard.* is dropped by module.lds. */
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
	const struct template_source *kbuild = source_find(b->tp, "kernel/Kbuild");
	const char *stub = stub_script(b);

	vec_each(s, &b->tp->sources) {
		if (!s->text)
			return build_error("cannot read %s", s->path);
		if (!write_below(b, b->dir, s->name, s->text, s->size))
			return false;
		if (is_header(s->name) &&
		    !keep(b, arena_printf(b->arena, "include/%s", s->name), s->text, s->size))
			return false;
	}
	return keep(b, "Kbuild", kbuild->text, kbuild->size) &&
	       write_below(b, b->dir, "Kbuild", kbuild->text, kbuild->size) &&
	       write_below(b, b->dir, "script.c", stub, strlen(stub));
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

static bool run_make(struct build *b)
{
	const char *args[] = { "TAP_NAME=" TEMPLATE_NAME };
	struct template *tp = b->tp;
	int status = kernel_target_make(tp->target, tp->arena, b->dir, args, 1, &b->log);

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
		const char *object = arena_printf(b->arena, "%.*s.o", (int)strlen(s->name) - 2, s->name);

		/* Kbuild leaves out files for user space */
		if (str_ends(s->name, ".c") &&
		    file_exists(arena_printf(b->arena, "%s/%s", b->dir, object)))
			*vec_add(b->arena, &argv) = object;
	}
	*vec_add(b->arena, &argv) = NULL;
	c.argv = argv.items;
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

	if (!recipe_record(&tp->recipe, b->arena, b->dir, TEMPLATE_NAME, b->log))
		tp->recipe = (struct recipe){ 0 };
	if (!keep_archive(b) || !keep_symbols(b) ||
	    !keep_built(b, TEMPLATE_NAME ".mod.o", "mod.o"))
		return false;
	if (file_exists(arena_printf(b->arena, "%s/.module-common.o", b->dir)) &&
	    !keep_built(b, ".module-common.o", "module-common.o"))
		return false;
	commands = recipe_write(&tp->recipe, b->arena);
	return keep_built(b, "kernel/main.o", "main.o") &&
	       keep(b, "recipe", commands, strlen(commands)) &&
	       write_below(b, b->out, "manifest", b->manifest.s, b->manifest.n);
}

/* make does not accept spaces, colons or dollar signs in M=. */
static bool path_suits_make(const char *path)
{
	return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "/._-+,@")] == '\0';
}

static const char *build_directory(struct build *b)
{
	char *real = realpath(b->out, NULL);
	char *dir = arena_printf(b->arena, "%s/build", real ? real : b->out);

	free(real);
	if (path_suits_make(dir))
		return mkdir(dir, 0700) == 0 ? dir : NULL;
	dir = (char *)safe_temporary(b->arena);
	dir = dir ? safe_dir_new(b->arena, path_suits_make(dir) ? dir : "/tmp", "tapc-build.") : NULL;
	if (dir)
		safe_path_own(dir);
	return dir;
}

/* An existing directory is moved aside first: a directory can only be renamed onto an empty one. */
static bool put_in_place(struct build *b)
{
	const char *aside = arena_printf(b->arena, "%s/old", b->out);

	if (dir_exists(b->tp->dir) && rename(b->tp->dir, aside) < 0)
		return cannot_write(aside);
	if (rename(b->out, b->tp->dir) < 0)
		return cannot_write(b->tp->dir);
	dir_remove(template_file(b->tp, "old"));
	return true;
}

static bool build_in(struct build *b)
{
	bool done;

	b->dir = build_directory(b);
	if (!b->dir)
		return cannot_write(b->out);
	text_init(&b->manifest, b->arena);
	text_add(&b->manifest, TEMPLATE_FORMAT "\n");
	done = write_sources(b) && run_make(b) && keep_results(b);
	dir_remove(b->dir);
	return done && put_in_place(b);
}

static bool template_build(struct template *tp)
{
	struct arena *a = tp->arena;
	char *out = arena_printf(a, "%s/kernels/.tmp-%s-XXXXXX", tp->cache->root, tp->key);
	struct build b = { .tp = tp, .arena = a, .out = out };

	if (!mkdtemp(out))
		return cannot_write(out);
	if (options_verbose(tp->options, 4) || isatty(2))
		fprintf(stderr, "tapc: building the runtime for kernel %s (once) ...\n",
			tp->target->release);
	if (build_in(&b))
		return true;
	dir_remove(out);
	return false;
}

/* --- the directory of templates ------------------------------------------------------------- */

/* Left by a killed run, or not used for a month (for an older runtime or a kernel that was removed). */
static bool is_stale(struct template *tp, const char *name)
{
	const char *dir = arena_printf(tp->arena, "%s/kernels/%s", tp->cache->root, name);
	struct stat st;

	if (str_starts(name, ".tmp-"))
		return true;
	return stat(arena_printf(tp->arena, "%s/manifest", dir), &st) < 0 ||
	       st.st_mtim.tv_sec + 30 * 86400 < time(NULL);
}

static void remove_stale(struct template *tp)
{
	const char *path = arena_printf(tp->arena, "%s/kernels", tp->cache->root);
	DIR *d = opendir(path);

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		const char *name = e->d_name;
		const char *key = str_starts(name, ".tmp-") ? name + 5 : name;
		const char *stale = arena_printf(tp->arena, "%s/%s", path, name);
		bool ours = strncmp(key, tp->key, 32) == 0;
		int held = -1;

		if (strlen(key) < 32 || str_ends(name, ".lock") || str_equal(name, tp->key) ||
		    !is_stale(tp, name))
			continue;
		/* this run already holds its own lock */
		if (!ours && (held = cache_lock(tp->cache, key, false)) < 0)
			continue;
		dir_remove(stale);
		cache_unlock(tp->cache, key, held);
	}
	closedir(d);
}

static int lock_or_wait(struct template *tp)
{
	int fd = cache_lock(tp->cache, tp->key, false);

	if (fd >= 0 || errno != EWOULDBLOCK)
		return fd;
	if (options_verbose(tp->options, 4) || isatty(2))
		fprintf(stderr, "tapc: waiting for another tapc that is building the runtime for kernel %s "
			"...\n", tp->target->release);
	return cache_lock(tp->cache, tp->key, true);
}

/* The caller holds the lock. */
static bool template_make(struct template *tp)
{
	/* Another run may have built it while this one waited. */
	if (!tp->cache->poison && template_load(tp, true))
		return true;
	remove_stale(tp);
	if (!template_build(tp))
		return false;
	return template_load(tp, true) ||
	       build_error("the runtime just built in %s cannot be read", tp->dir);
}

bool template_prepare(struct template *tp)
{
	bool made;
	int held;

	template_key(tp);
	if (tp->ready || (!tp->cache->poison && template_load(tp, false)))
		return true;
	held = lock_or_wait(tp);
	if (held < 0)
		return build_error("cannot lock %s.lock: %s", tp->dir, strerror(errno));
	made = template_make(tp);
	cache_unlock(tp->cache, tp->key, held);
	return made;
}
