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
	size_t skipped;				/* sites that match a wildcard but cannot be probed */
	struct warnings *warnings;		/* from simplify, printed when types are known; or NULL */
};

bool resolve_program(struct translation *t, struct library *lib, struct script *main_script,
		     struct program *out);

/* Resolves another script, which contains only probes, into the same program. */
bool resolve_more(struct translation *t, struct library *lib, struct script *s, struct program *p);

#endif
