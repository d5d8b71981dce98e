/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names to declarations: every name points at its variable or function, every probe has its sites. */
#ifndef TAPC_RESOLVE_H
#define TAPC_RESOLVE_H

#include "syntax/ast.h"
#include "points/handler.h"

struct library;
struct translation;

/* What a script comes to: the handlers to run and the functions and globals they use. */
struct program {
	handler_list handlers;
	function_list functions;		/* used ones, callees before or after callers */
	variable_list globals;			/* used ones, in order of first use */
	VEC(struct expr *) embedded_values;	/* %{ %} as values */
	VEC(struct embedded_code) embedded;	/* top-level %{ %} of files that are not shipped tapsets */
	struct warnings *warnings;		/* of simplify, to be told when types are known; or NULL */
};

bool resolve_program(struct translation *t, struct library *lib, struct script *main_script,
		     struct program *out);

/* Target variables that could not be resolved, and that simplify has left, are errors; with
 * --skip-badvars they read as 0. */
bool resolve_complain(struct translation *t, struct program *p);

/* The probes of a further script, which comes with nothing else, into the same program. */
bool resolve_more(struct translation *t, struct library *lib, struct script *s, struct program *p);

/* V is among the program's globals from now on. */
void program_use_global(struct program *p, struct arena *a, struct variable *v);

/* V is used at AT with COUNT keys, 0: as a scalar. False, with a message: it is used or declared otherwise. */
bool resolve_key_count(struct variable *v, struct span at, int count);

/* Is E something that can be assigned to? */
bool expr_is_lvalue(const struct expr *e);
/* The variable of a NAME, or of the array of an INDEX; else NULL. */
struct variable *expr_variable(const struct expr *e);

#endif
