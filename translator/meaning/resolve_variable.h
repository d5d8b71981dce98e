/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables of the script. */
#ifndef TAPC_RESOLVE_VARIABLE_H
#define TAPC_RESOLVE_VARIABLE_H

#include "resolver.h"

/* Adds V to the program's globals. */
void program_use_global(struct program *p, struct arena *a, struct variable *v);

/* Records that V is used at AT with COUNT keys (0: as a scalar). Reports an error and returns false if V is used or
 * declared in another way. */
bool resolve_key_count(struct variable *v, struct span at, int count);

/* The variable that E, a NAME, refers to. NULL after an error message; E has the type of an error then. */
struct variable *resolve_bind(struct resolver *r, struct expr *e);
/* E is used as a plain variable; as an element of an array; ARRAY is used with COUNT keys. None counts as a read. */
void resolve_scalar(struct resolver *r, struct expr *e);
void resolve_index(struct resolver *r, struct expr *e);
void resolve_array(struct resolver *r, struct expr *array, int count, struct span at);
/* Resolves the expressions of LIST; NULL elements are wildcards. */
void resolve_list(struct resolver *r, expr_list *list);

void resolve_mark_read(struct expr *e);
void resolve_mark_written(struct resolver *r, struct expr *e);
/* Does a body, which need not be resolved, assign to NAME, or also, with ELEMENTS, to an element of that array? */
bool resolve_assigns(struct stmt **body, const char *name, bool elements);

/* Is the type that E points to known? */
bool resolve_is_pointer(const struct expr *e);
/* LEFT is set to RIGHT: it points to the same type. infer learns all pointer types, but @defined needs them during
 * resolution. */
void resolve_learn_pointee(struct resolver *r, struct expr *left, const struct expr *right);
/* Sets the pointer type of E, a variable or element, to that of the variable. */
void resolve_recall_pointee(struct expr *e);

#endif
