/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A target expression while it is being resolved; internal to target. */
#ifndef TAPC_TARGET_WALK_H
#define TAPC_TARGET_WALK_H

#include "base/access.h"
#include "syntax/ast.h"
#include "debuginfo/place.h"
#include "target.h"

struct arena;
struct sites;

struct target_walk {
	struct arena *arena;
	const struct target_scope *at;
	struct span span;		/* of the whole expression */
	struct access *access;
	const struct debug_type *type;	/* of the current part of the expression */
	struct debuginfo *image;	/* of the variable */
	bool in_memory;			/* the part is at the current address; otherwise it is the current value */
	const struct location *place;	/* location of a variable that is not in memory as a whole;
					 * the part, or what it points to, is PLACE_AT bytes into
					 * it; NULL: the access has the location */
	int64_t place_at;
	const struct debug_type *place_type;	/* of the whole variable */
	bool place_is_pointer;
	const char *name;		/* of the variable, for messages */
	bool is_cast;			/* a pointer to TYPE was given: [i] is relative to it */
	bool quiet;			/* no messages */
};

/* Report an error at AT, unless QUIET. Always false. */
bool target_fail(struct target_walk *w, struct span at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Show the reasons in PROBLEMS as notes. Always false. */
bool target_note(struct target_walk *w, const struct sites *problems);

/* Start at a variable's location. */
bool target_start(struct target_walk *w, const struct location *l, const char *name);
/* Follow the components; a final PRETTY is left to the caller. */
bool target_follow(struct target_walk *w, const component_list *components);
/* Dereference the current pointer, whose type is POINTER. */
bool target_enter(struct target_walk *w, const struct debug_type *pointer);
/* Make the access read the current part, or take its address. */
bool target_finish(struct target_walk *w, bool address);
/* The type that the value points to, so that scripts can continue from it. */
const struct debug_type *target_pointee(const struct target_walk *w, bool address);

#endif
