/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Name resolution: afterwards every name points to its variable or function, and every probe has its sites. */
#ifndef TAPC_RESOLVE_H
#define TAPC_RESOLVE_H

#include "syntax/ast.h"
#include "points/handler.h"

struct library;
struct translation;

/* A resolved script: the handlers to run, and the functions and globals that they use. */
struct program {
	handler_list handlers;
	function_list functions;		/* those that are used, in no particular order */
	variable_list globals;			/* those that are used, in order of first use */
	VEC(struct expr *) embedded_values;	/* %{ %} as values */
	VEC(struct embedded_code) embedded;	/* top-level %{ %} of files that are not shipped tapsets */
	struct warnings *warnings;		/* from simplify, printed when types are known; or NULL */
};

bool resolve_program(struct translation *t, struct library *lib, struct script *main_script,
		     struct program *out);

/* Reports target variables that could not be resolved and that simplify did not remove; with --skip-badvars
 * they read as 0. */
bool resolve_complain(struct translation *t, struct program *p);

/* Resolves another script, which contains only probes, into the same program. */
bool resolve_more(struct translation *t, struct library *lib, struct script *s, struct program *p);

/* Adds V to the program's globals. */
void program_use_global(struct program *p, struct arena *a, struct variable *v);

/* Records that V is used at AT with COUNT keys (0: as a scalar). Reports an error and returns false if V is used or
 * declared in another way. */
bool resolve_key_count(struct variable *v, struct span at, int count);

/* Is E something that can be assigned to? */
bool expr_is_lvalue(const struct expr *e);
/* The variable of a NAME or of the array of an INDEX; otherwise NULL. */
struct variable *expr_variable(const struct expr *e);

#endif
