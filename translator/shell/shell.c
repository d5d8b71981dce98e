/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shell holds the script in pieces and never translates: each translation is a child with a copy of the run. The
 * session is a child, too, which becomes taprun. So one process waits for all of them and for the user. */
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "commands.h"
#include "complete.h"
#include "line.h"
#include "session.h"
#include "staging/common/status.h"

/* NULL: there is no place for it. */
static const char *history_path(struct arena *a)
{
	const char *dir = path_state(a);

	return dir && dir_make(dir, 0700) ? arena_printf(a, "%s/history", dir) : NULL;
}

static void load_first(struct shell *sh)
{
	const struct options *o = &sh->run->options;

	if (o->has_text)
		command_add(sh, o->script_text);
	else if (o->script_file)
		command_load(sh, o->script_file);
}

static void take_lines(struct shell *sh)
{
	char *line;

	while (!sh->is_over && (line = line_take()) != NULL) {
		command_execute(sh, line);
		free(line);
	}
}

int shell_run(struct run *run, char **argv, int (*execute)(struct run *run))
{
	struct shell sh = { .run = run, .argv = argv, .execute = execute, .arena = run->arena };

	if (!command_allows(&run->options)) {
		error_print("-i takes options of a run, such as -v, -G NAME=VALUE or -T SECONDS");
		return TAP_STATUS_USAGE;
	}
	text_init(&sh.open, sh.arena);
	if (!session_open(&sh))
		return TAP_STATUS_HOST;
	sh.is_terminal = line_open(history_path(sh.arena), complete, &sh);
	if (sh.is_terminal && !run->options.quiet)
		puts("'help' lists the commands.");
	load_first(&sh);
	while (!sh.is_over && !line_has_ended()) {
		line_await(sh.open.n ? "    > " : "tapc> ");
		session_wait(&sh, -1, true);
		take_lines(&sh);
	}
	if (sh.open.n)
		command_execute(&sh, "");
	session_close(&sh);
	line_close();
	return sh.status;
}
