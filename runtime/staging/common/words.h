/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a command line into words, as far as that is possible without a shell. */
#ifndef STAGING_WORDS_H
#define STAGING_WORDS_H

#include <stddef.h>

enum words_kind {
	WORDS_PLAIN,		/* these words are the command */
	WORDS_EXPANDED,		/* one command, whose words need a shell: variables, patterns, redirections */
	WORDS_SHELL,		/* a list of commands, a loop, an unclosed quote ...: left to the shell */
};

struct words {
	char **list;		/* NULL-terminated; valid with WORDS_PLAIN */
	size_t count;
	char *text;		/* the buffer that the list points into */
};

/* Splits TEXT at blanks, with quotes and backslashes as in sh(1). */
enum words_kind words_split(const char *text, struct words *w);
void words_free(struct words *w);

#endif
