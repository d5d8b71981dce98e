/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a command line, as far as they can be told without a shell. */
#ifndef STAGING_WORDS_H
#define STAGING_WORDS_H

#include <stddef.h>

enum words_kind {
	WORDS_PLAIN,		/* these words are the command */
	WORDS_EXPANDED,		/* one command, of which a shell makes the words: variables, patterns, files */
	WORDS_SHELL,		/* a list of commands, a loop, an open quote ...: the shell's business */
};

struct words {
	char **list;		/* NULL-terminated; with WORDS_PLAIN */
	size_t count;
	char *text;		/* what the list points into */
};

/* Split TEXT at blanks, with quotes and backslashes as in sh(1). */
enum words_kind words_split(const char *text, struct words *w);
void words_free(struct words *w);

#endif
