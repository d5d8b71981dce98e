/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens to tokens: expands macros and arguments of the script, and evaluates %( ... %? ... %: ... %). */
#ifndef TAPC_PREPROC_H
#define TAPC_PREPROC_H

#include "lex.h"
#include "parse.h"
#include "base/vec.h"

typedef VEC(struct token) token_list;

struct macro {
	const char *name;		/* interned */
	struct span span;		/* of the name in the definition */
	VEC(const char *) parameters;	/* interned */
	token_list body;		/* as written */
};

struct preproc;

struct preproc *preproc_open(struct translation *t, struct macros *m, const struct source *s);
/* The next token; at the end, always TOKEN_END. Errors in conditions and macros have been reported;
 * lex_complain reports errors in the text itself. */
struct token preproc_next(struct preproc *p);
/* The names of the macros that are visible here, for suggestions. */
void preproc_macro_names(const struct preproc *p, name_list *names);

/* preproc_condition.c: the value of a condition: 1, 0, or -1 after a message.
 * NEXT returns the tokens up to and including '%?'. */
struct condition_input {
	struct token (*next)(void *data);
	void *data;
	struct translation *translation;
	const struct preproc_target *target;
	struct token token;		/* the current token */
};
int condition_value(struct condition_input *in);

#endif
