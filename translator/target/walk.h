/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One target expression being resolved: shared by the files of target. */
#ifndef TAPC_TARGET_WALK_H
#define TAPC_TARGET_WALK_H

#include "base/access.h"
#include "syntax/ast.h"
#include "debuginfo/place.h"
#include "target.h"

struct sites;

struct target_walk {
	struct translation *translation;
	const struct target_scope *at;
	struct span span;		/* of the whole expression */
	struct access *access;
	const struct debug_type *type;	/* of what is at hand */
	struct debuginfo *image;	/* of the variable */
	bool in_memory;			/* it is at the address at hand, else it is the value at hand */
	const struct location *place;	/* it is, or what that points to is, PLACE_AT bytes into what is kept
					 * there, and not in memory as a whole; NULL: the access has it */
	int64_t place_at;
	const struct debug_type *place_type;	/* of what is kept there as a whole */
	bool place_is_pointer;
	const char *name;		/* of the variable, for messages */
	bool is_cast;			/* a pointer to TYPE was given: [i] counts from there */
	bool quiet;			/* no messages */
};

/* An error at AT, unless QUIET. Always false. */
bool target_fail(struct target_walk *w, struct span at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Its reasons as notes. Always false. */
bool target_note(struct target_walk *w, const struct sites *problems);

/* Begin at a variable's location. */
bool target_start(struct target_walk *w, const struct location *l, const char *name);
/* Follow what stands behind it; a closing PRETTY is left to the caller. */
bool target_follow(struct target_walk *w, const component_list *components);
/* The pointer at hand, of type POINTER, becomes what it points to. */
bool target_enter(struct target_walk *w, const struct debug_type *pointer);
/* What is at hand as a value, or its address. */
bool target_finish(struct target_walk *w, bool address);
/* What the value points to, for scripts to go on with. */
const struct debug_type *target_pointee(const struct target_walk *w, bool address);

/* The text of what is at hand, printed to DEPTH (1: $, 2: $$): a sprintf of parts that count from
 * w->access, which becomes the address of the structure, or of the value itself. */
struct expr *target_pretty(struct target_walk *w, unsigned depth);
/* The text of $$vars and its like. DEPTH 0: numbers. */
struct expr *target_pretty_list(struct target_walk *w, const char *name, unsigned depth,
				struct sites *problems);

#endif
