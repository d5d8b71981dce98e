/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A probe's body, and the sites at which it runs. */
#ifndef TAPC_HANDLER_H
#define TAPC_HANDLER_H

#include "syntax/ast.h"
#include "site.h"

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

#endif
