/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolve probe points: from what a script writes to sites, through aliases, wildcards, and the
 * families. */
#ifndef TAPC_POINT_H
#define TAPC_POINT_H

#include "syntax/ast.h"
#include "family.h"

struct library;

/* A probe's body together with the prologues and epilogues of the aliases that led to its places. */
struct handler {
	struct probe *probe;			/* as written in the script */
	struct stmt *body;			/* a copy of its own */
	variable_list locals;		/* resolve */
	VEC(struct site) sites;
	expr_list conditions;			/* all must be true; usually none */
	VEC(const struct probe *) aliases;	/* outermost first */
	/* At a return: what runs when the function is entered, and the variables (VARIABLE_ENTRY) that it
	 * sets for this one; NULL: nothing. */
	struct handler *entry;
	variable_list kept;
	function_list functions;		/* resolve: copies for it alone */
	unsigned number;			/* plan */
};
typedef VEC(struct handler *) handler_list;

/* Resolve all points of PROBE and append its handlers; errors are reported. */
bool point_resolve(struct translation *t, struct library *lib, struct probe *probe, handler_list *out);
/* The points of the script that SITES are for, the first few of them. */
const char *sites_written(struct arena *a, const struct site *const *sites, size_t n);

#endif
