/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --simulate: the generated C, linked with a library that was built with tapc (runtime/simulate,
 * runtime/core, the C of the tapsets), is an ordinary program that runs begin, test, timer and end
 * probes in virtual time. It replaces this process; nothing stays on disk. */
#include "simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/installation.h"
#include "staging/common/status.h"
#include "source/options.h"
#include "base/safe_path.h"
#include "base/util.h"

typedef VEC(const char *) word_list;

static void add_word(struct arena *a, word_list *words, const char *word)
{
	*vec_add(a, words) = word;
}

/* Split at spaces: configure's CC may be "ccache gcc". */
static void add_words(struct arena *a, word_list *words, const char *text)
{
	for (;;) {
		size_t n;

		text += strspn(text, " ");
		n = strcspn(text, " ");
		if (!n)
			return;
		add_word(a, words, arena_strndup(a, text, n));
		text += n;
	}
}

static void add_option(struct arena *a, word_list *words, const char *letter, const char *value)
{
	if (!value)
		return;
	add_word(a, words, letter);
	add_word(a, words, value);
}

/* ---- building ---- */

static word_list compiler_words(struct arena *a)
{
	const char *runtime = installation_dir(a, "runtime"), *cc = getenv("CC");
	word_list words = { 0 };

	add_words(a, &words, cc && *cc ? cc : TAPC_CC);
	/* Linking takes a third longer with the runtime's debug information, which only the sanitizers' reports use. */
	add_words(a, &words, *TAPC_SANITIZE ? "-g " TAPC_SANITIZE : "-Wl,--strip-debug");
	add_words(a, &words, "-std=gnu11 -O1 -D_GNU_SOURCE -DTAP_SIMULATE");
	add_word(a, &words, arena_printf(a, "-I%s/simulate", runtime));
	add_word(a, &words, arena_printf(a, "-I%s/abi", runtime));
	add_word(a, &words, arena_printf(a, "-I%s", runtime));
	return words;
}

/* For the script's own C: a wrong type is an error, as in runtime/kernel/Kbuild. */
static const char *const *embedded_words(struct arena *a)
{
	word_list words = compiler_words(a);

	add_words(a, &words, "-Wuninitialized -Wformat -Werror=int-conversion -Werror=int-to-pointer-cast "
		  "-Werror=incompatible-pointer-types -Werror=format -Werror=return-type "
		  "-Werror=implicit-function-declaration -Werror=implicit-int -Werror=uninitialized "
		  "-Werror=discarded-qualifiers -c -o embedded.o embedded.c");
	add_word(a, &words, NULL);
	return words.items;
}

static const char *const *program_compiler_words(struct arena *a, bool has_embedded)
{
	word_list words = compiler_words(a);

	add_words(a, &words, has_embedded ? "-w -o script script.c embedded.o" : "-w -o script script.c");
	add_word(a, &words, installation_library(a, "libtapsimulate.a"));
	add_word(a, &words, NULL);
	return words.items;
}

/* The linker does not find functions that only the kernel's runtime has. */
static bool tell_missing_function(struct arena *a, const char *output)
{
	static const char prefix[] = "undefined reference to `tap_fn_";
	const char *at = output ? strstr(output, prefix) : NULL;
	size_t n;

	if (!at)
		return false;
	at += strlen(prefix);
	n = strcspn(at, "'");
	error_print("the function '%s' needs a kernel and cannot be simulated", arena_strndup(a, at, n));
	return true;
}

static bool run_compiler(struct arena *a, const char *dir, const char *const *words, const char *what)
{
	struct command c = { .argv = words, .dir = dir, .capture = true };
	int status = command_run(a, &c);

	if (status == 0)
		return true;
	if (status < 0) {
		error_print("cannot run the C compiler '%s': %s", c.argv[0], strerror(errno));
	} else if (!tell_missing_function(a, c.output)) {
		error_print("the C compiler failed on the %s:", what);
		fputs(c.output ? c.output : "", stderr);
	}
	return false;
}

static bool compile(struct arena *a, const char *dir, bool has_embedded)
{
	return (!has_embedded || run_compiler(a, dir, embedded_words(a), "script's C code")) &&
	       run_compiler(a, dir, program_compiler_words(a, has_embedded), "simulated script");
}

static bool write_text(struct arena *a, const char *dir, const char *name, const struct text *text)
{
	const char *path = arena_printf(a, "%s/%s", dir, name);

	if (file_write(path, text->s, text->n))
		return true;
	error_print("cannot write '%s': %s", path, strerror(errno));
	return false;
}

/* The program's open file; -1: it could not be built. */
static int build_program(const struct options *o, const struct text *code, const struct text *embedded)
{
	char *dir = safe_work_dir(o->arena);
	int fd = -1;

	if (!dir)
		return -1;
	if (write_text(o->arena, dir, "script.c", code) &&
	    (!embedded->n || write_text(o->arena, dir, "embedded.c", embedded)) &&
	    compile(o->arena, dir, embedded->n))
		fd = open(arena_printf(o->arena, "%s/script", dir), O_RDONLY | O_CLOEXEC);
	if (o->keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", dir);
	else
		dir_remove(dir);
	return fd;
}

/* ---- running ---- */

static const char *const *program_words(const struct options *o)
{
	struct arena *a = o->arena;
	word_list words = { 0 };

	add_word(a, &words, "script");
	add_word(a, &words, "--pass");
	add_option(a, &words, "-o", o->output);
	add_option(a, &words, "-T", o->seconds);
	add_option(a, &words, "-x", o->pid);
	add_option(a, &words, "--output", o->form);
	if (o->no_warnings)
		add_word(a, &words, "-w");
	if (o->verbose)
		add_word(a, &words, "-v");
	if (o->pretty)
		add_word(a, &words, "--pretty");
	add_word(a, &words, NULL);
	return words.items;
}

int simulate_script(const struct options *o, const struct text *code, const struct text *embedded)
{
	extern char **environ;
	int fd;

	if (o->cgroup || o->container) {
		error_print("%s names tasks to be traced, but --simulate traces no processes",
			    o->cgroup ? "--cgroup" : "--container");
		return TAP_STATUS_USAGE;
	}
	if (o->command) {
		error_print("-c starts a command to be traced, but --simulate traces no processes");
		return TAP_STATUS_USAGE;
	}
	fd = build_program(o, code, embedded);
	if (fd < 0)
		return TAP_STATUS_BUILD;
	fflush(NULL);
	fexecve(fd, (char *const *)program_words(o), environ);
	error_print("cannot run the simulated script: %s", strerror(errno));
	return TAP_STATUS_HOST;
}
