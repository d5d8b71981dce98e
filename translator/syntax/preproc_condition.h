/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of the preprocessor: what is between %( and %?. */
#ifndef TAPC_SYNTAX_PREPROC_CONDITION_H
#define TAPC_SYNTAX_PREPROC_CONDITION_H

#include "preproc.h"

/* preproc_condition.c: the value of a condition: 1, 0, or -1 after a message.
 * NEXT returns the tokens up to and including '%?'. */
struct condition_input {
	struct token (*next)(void *data);
	void *data;
	struct arena *arena;
	const struct preproc_target *target;
	struct token token;		/* the current token */
};
int condition_value(struct condition_input *in);

#endif
