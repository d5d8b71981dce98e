/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is being typed at the cursor. */
#ifndef TAPC_SERVER_CURSOR_H
#define TAPC_SERVER_CURSOR_H

#include "scan.h"

enum cursor_kind {
	CURSOR_NOTHING,			/* nothing to complete: a comment, a number, a new name */
	CURSOR_TOP,			/* a declaration */
	CURSOR_POINT,			/* a component of a probe point */
	CURSOR_ARGUMENT,		/* a string in a probe point */
	CURSOR_TARGET,			/* $variable */
	CURSOR_MEMBER,			/* after -> */
	CURSOR_AT,			/* @word */
	CURSOR_EXPRESSION,		/* a name, a keyword */
};

struct cursor {
	enum cursor_kind kind;
	uint32_t start, at;		/* of the word so far: [start, at) */
	const char *word;
	size_t before;			/* the last token before the word; NO_TOKEN: none */
	const struct declaration *declaration;	/* or NULL */
};

void cursor_find(struct cursor *c, const struct scan *s, struct arena *a, uint32_t at);
/* The first token of the value whose member is typed, and the first token of the point. */
size_t cursor_value(const struct cursor *c, const struct scan *s);
size_t cursor_point(const struct cursor *c, const struct scan *s);

#endif
