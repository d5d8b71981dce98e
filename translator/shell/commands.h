/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of the shell: those of SystemTap's interactive mode with the same meaning, and those for a script that
 * runs. */
#ifndef TAPC_SHELL_COMMANDS_H
#define TAPC_SHELL_COMMANDS_H

#include "state.h"

/* What a command's argument is, for completion. */
enum command_argument {
	ARGUMENT_NONE, ARGUMENT_PIECE, ARGUMENT_TEXT, ARGUMENT_FILE, ARGUMENT_EXPRESSION, ARGUMENT_WORD,
	ARGUMENT_OPTION, ARGUMENT_OTHER,
};

struct command_row {
	const char *name, *argument, *help;
	enum command_argument kind;
	/* REST: the text after the name, without blanks around it. False: it failed, after messages. */
	bool (*execute)(struct shell *sh, const char *rest);
};
extern const struct command_row command_rows[];
extern const size_t command_row_count;

/* The command that LINE names, or NULL; *REST is the text after it. */
const struct command_row *command_find(const char *line, const char **rest);
/* Executes a line, which may be a part of a declaration. */
void command_execute(struct shell *sh, const char *line);
/* Are these options of a run? */
bool command_allows(const struct options *o);
/* Loads the file PATH, as the command does. */
bool command_load(struct shell *sh, const char *path);
/* The text of -e. */
bool command_add(struct shell *sh, const char *text);

#endif
