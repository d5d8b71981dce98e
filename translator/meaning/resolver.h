/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to resolve: the state, and the functions that its files share. */
#ifndef TAPC_RESOLVER_H
#define TAPC_RESOLVER_H

#include "base/map.h"
#include "resolve.h"

struct resolver {
	struct translation *translation;
	struct arena *arena;
	struct library *library;
	struct program *program;
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

/* ---- resolve.c ---- */

void resolve_expr(struct resolver *r, struct expr **ep);
/* E is used as a plain variable; as an element of an array. Neither counts as a read. */
void resolve_scalar(struct resolver *r, struct expr *e);
void resolve_index(struct resolver *r, struct expr *e);
void resolve_mark_read(struct expr *e);
/* Is the type that E points to known? */
bool resolve_is_pointer(const struct expr *e);
/* Sets the pointer type of E, a variable or element, to that of the variable. */
void resolve_recall_pointee(struct expr *e);

/* ---- resolve_target.c ---- */

void resolve_components(struct resolver *r, component_list *components);
/* Returns false after an error message if E, in the condition of a probe, needs a hit: conditions are not evaluated at
 * hits. */
bool resolve_may_ask(const struct resolver *r, struct expr *e);
void resolve_target(struct resolver *r, struct expr **ep);
/* Is E a target variable that, at a return, has its value of the entry? */
bool resolve_is_of_entry(const struct resolver *r, const struct expr *e);
void resolve_defined(struct resolver *r, struct expr *e);
/* The operand is evaluated at the function's entry and saved. */
void resolve_entry(struct resolver *r, struct expr **ep, struct expr *operand);
/* @defined(@entry(x)): nothing is saved. */
void resolve_asked_entry(struct resolver *r, struct expr **ep);
void resolve_probewrite(struct resolver *r, struct expr *e);

#endif
