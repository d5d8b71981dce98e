/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line needs of a script before it can be parsed, as options may choose the kernel that it is parsed
 * for: the options that it declares, whether it uses arguments, and the comment at its beginning. */
#ifndef TAPC_SCRIPT_HEAD_H
#define TAPC_SCRIPT_HEAD_H

#include "source/script_options.h"

struct arena;
struct source;

struct script_head {
	declared_options options;	/* @option with literals, outside of macros; wrong ones are left out */
	bool has_arguments;		/* $1, @1, $#, argv and the like occur in it */
};

struct script_head script_head_find(struct arena *a, const char *text, size_t size);
/* The comment lines at the beginning of TEXT, without comment signs, "#!" and lines of the form "# word: text"; ""
 * if there are no such lines. */
const char *script_head_comment(struct arena *a, const char *text);
/* The text after "# WORD: " in that comment, or NULL. */
const char *script_head_line(struct arena *a, const char *text, const char *word);

#endif
