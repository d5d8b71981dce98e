/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: elements of arrays of numbers, each looked up once as long as it cannot have moved.
 *
 * The result of a look-up is kept in a pointer to the element's number, NULL if it does not exist. The pointer is used
 * again for the same keys, until a statement in between may add or delete elements of this array, or changes a local
 * variable in the keys. What is known at a place is what is known on all ways to it: a branch forgets what it found,
 * and a loop or a catch begins with nothing, as does a region of locks. */
#ifndef TAPC_EMIT_ELEMENT_H
#define TAPC_EMIT_ELEMENT_H

#include "emitter.h"

/* Have KEYS the same values until a local variable in them is changed, and can they be evaluated at any time before? */
bool element_is_steady(const expr_list *keys);

/* A pointer to the element of ARRAY with KEYS; it may be NULL unless *EXISTS. */
const char *element_find(struct emitter *em, const struct variable *array, const expr_list *keys, bool *exists);
/* A pointer to the element E, which is inserted if it does not exist. */
const char *element_slot(struct emitter *em, const struct expr *e);
/* The same with the C expression of its keys, whose values may have changed since they were evaluated. */
const char *element_insert(struct emitter *em, const struct expr *e, const char *keys);
void element_delete(struct emitter *em, const struct expr *e);

/* Elements of ARRAY may have been added, or deleted, other than by these functions. */
void element_array_changed(struct emitter *em, const struct variable *array);
void element_variable_changed(struct emitter *em, const struct variable *v);
/* After the call E. */
void element_called(struct emitter *em, const struct expr *e);
void element_forget_all(struct emitter *em);

/* Around code that runs only sometimes:
 *	b = element_branch(em); ... element_join(em, &b);
 * and for two branches, of which one runs: element_other(em, &b) between them. */
enum { ELEMENT_MOST = 32 };	/* only those found last are known, so that a search does not grow with the script */
struct element_branch {
	size_t first, n;
	enum element_state before[ELEMENT_MOST];	/* where they began */
	enum element_state other[ELEMENT_MOST];		/* where the first one ended */
};
struct element_branch element_branch(struct emitter *em);
void element_other(struct emitter *em, struct element_branch *b);
void element_join(struct emitter *em, const struct element_branch *b);

/* The pointers, at the beginning of a body. */
void element_declare(struct emitter *em);

#endif
