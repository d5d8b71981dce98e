/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to resolve: the state that its files share. */
#ifndef TAPC_RESOLVER_H
#define TAPC_RESOLVER_H

#include "base/map.h"
#include "resolve.h"

struct images;
struct options;

struct resolver {
	struct arena *arena;
	struct images *images;
	const struct options *options;
	struct library *library;
	struct program *program;
	/* Resolves any expression: for the parts, which handle one kind each. */
	void (*expr)(struct resolver *r, struct expr **ep);
	/* the current function or handler: */
	struct map names;			/* its parameters and locals */
	variable_list *locals;
	struct function *function;
	struct handler *handler;
	bool globals_only;			/* a probe's condition */
	bool at_entry;				/* in @entry */
	bool is_asking;				/* in @defined: nothing is evaluated */
	const struct expr *statement;		/* the expression whose value is not used */
};

#endif
