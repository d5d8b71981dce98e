/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of resolve: the state, and what its files ask of each other. */
#ifndef TAPC_RESOLVER_H
#define TAPC_RESOLVER_H

#include "base/map.h"
#include "resolve.h"

struct resolver {
	struct translation *translation;
	struct arena *arena;
	struct library *library;
	struct program *program;
	/* the function or handler at hand: */
	struct map names;			/* its parameters and locals */
	variable_list *locals;
	struct function *function;
	struct handler *handler;
	bool globals_only;			/* a probe's condition */
	bool at_entry;				/* within @entry */
	bool is_asking;				/* within @defined: nothing is evaluated */
	const struct expr *statement;		/* the expression whose value nobody uses */
};

/* ---- resolve.c ---- */

void resolve_expr(struct resolver *r, struct expr **ep);
/* A plain variable's value is wanted; an element's. Neither counts as reading it. */
void resolve_scalar(struct resolver *r, struct expr *e);
void resolve_index(struct resolver *r, struct expr *e);
void resolve_mark_read(struct expr *e);
/* Is it known what E points to? */
bool resolve_is_pointer(const struct expr *e);
/* E, a variable or element, points to what is known of that. */
void resolve_recall_pointee(struct expr *e);

/* ---- resolve_target.c ---- */

void resolve_components(struct resolver *r, component_list *components);
/* A condition is looked at while nothing is probed. False, with a message: E asks for what only a hit has. */
bool resolve_may_ask(const struct resolver *r, struct expr *e);
void resolve_target(struct resolver *r, struct expr **ep);
/* Is the target variable E, at a return, what it was at the entry? */
bool resolve_is_of_entry(const struct resolver *r, const struct expr *e);
void resolve_defined(struct resolver *r, struct expr *e);
/* The operand is worked out when the function is entered, and kept. */
void resolve_entry(struct resolver *r, struct expr **ep, struct expr *operand);
/* @defined(@entry(x)): nothing is kept. */
void resolve_asked_entry(struct resolver *r, struct expr **ep);
void resolve_probewrite(struct resolver *r, struct expr *e);

#endif
