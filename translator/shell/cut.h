/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that is typed or loaded, cut into its declarations. */
#ifndef TAPC_SHELL_CUT_H
#define TAPC_SHELL_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/vec.h"

struct cut {
	name_list pieces;		/* the text of each declaration, with the comments before it */
	bool is_script;			/* the text begins with a declaration */
	bool is_probe;			/* and its last one is a probe */
	bool is_open;			/* a brace, a quote, embedded C or a declaration has no end yet */
};

void cut_text(struct cut *c, struct arena *a, const char *text, size_t size);

#endif
