/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --simulate: the generated C, the C of the tapsets, runtime/core and runtime/simulate, compiled into
 * an ordinary program that runs begin, test, timer and end probes in virtual time. */
#include "simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "installation.h"
#include "launch.h"
#include "staging/status.h"
#include "translation.h"
#include "util.h"

/* The compiler's command line; the sources of the runtime come by wildcard, so a shell runs it. */
static const char *compile_command(struct translation *t, const char *dir)
{
	const char *runtime = installation_dir(t->arena, "runtime");
	const char *cc = getenv("CC");

	return arena_printf(t->arena,
		"cd '%s' && exec %s -std=gnu11 -O1 -g -w -D_GNU_SOURCE -DTAP_SIMULATE "
		"-I'%s' -I'%s/abi' -I'%s/simulate' -o script script.c %s '%s'/simulate/*.c "
		"$(ls '%s'/core/*.c | grep -v _compile.c)",
		dir, cc && *cc ? cc : "cc", runtime, runtime, runtime,
		file_exists(arena_printf(t->arena, "%s/embedded.c", dir)) ? "embedded.c" : "", runtime, runtime);
}

static bool write_text(const char *dir, const char *name, const struct text *text, struct arena *a)
{
	const char *path = arena_printf(a, "%s/%s", dir, name);

	if (file_write(path, text->s, text->n))
		return true;
	fprintf(stderr, "tapc: error: cannot write '%s': %s\n", path, strerror(errno));
	return false;
}

static bool compile(struct translation *t, const char *dir)
{
	const char *argv[] = { "sh", "-c", compile_command(t, dir), NULL };
	struct command c = { .argv = argv, .capture = true };
	int status = command_run(t->arena, &c);

	if (status == 0)
		return true;
	fprintf(stderr, "tapc: error: the C compiler failed on the simulated script:\n%s",
		c.output ? c.output : "");
	return false;
}

int simulate_script(struct translation *t, const struct text *code, const struct text *embedded)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(t->arena, "%s/tapcXXXXXX", tmp && *tmp ? tmp : "/tmp");
	int status = TAP_STATUS_BUILD;

	if (!mkdtemp(dir)) {
		fprintf(stderr, "tapc: error: cannot make a folder '%s': %s\n", dir, strerror(errno));
		return TAP_STATUS_HOST;
	}
	if (write_text(dir, "script.c", code, t->arena) &&
	    (!embedded->n || write_text(dir, "embedded.c", embedded, t->arena)) && compile(t, dir))
		status = launch_simulation(t, dir);
	if (!t->options->keep)
		dir_remove(dir);
	return status;
}
