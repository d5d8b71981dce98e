/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A probe's body and the sites at which it runs. */
#ifndef TAPC_HANDLER_H
#define TAPC_HANDLER_H

#include "syntax/ast.h"
#include "site.h"

/* A probe's body together with the prologues and epilogues of the aliases that led to its sites. */
struct handler {
	struct probe *probe;			/* as written in the script */
	struct stmt *body;			/* its own copy */
	variable_list locals;		/* set by resolve */
	VEC(struct site) sites;
	expr_list conditions;			/* all must be true; usually none */
	VEC(const struct probe *) aliases;	/* outermost first */
	/* For a return probe: the handler that runs when the function is entered, and the variables
	 * (VARIABLE_ENTRY) that it sets for this one; NULL: not needed. */
	struct handler *entry;
	variable_list kept;
	function_list functions;		/* set by resolve: copies for this handler alone */
	unsigned number;			/* set by plan */
};
typedef VEC(struct handler *) handler_list;

#endif
