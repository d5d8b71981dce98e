/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that write expressions. */
#ifndef TAPC_EMIT_VALUE_H
#define TAPC_EMIT_VALUE_H

#include "emit.h"

const char *emit_c_type(enum type t);
/* Copies VALUE to a temporary. */
const char *emit_hold(struct emitter *em, enum type type, const char *value);
/* A copy of the string E, for the case that its variable changes. */
const char *emit_hold_string(struct emitter *em, struct expr *e, const char *value);
/* E's current value. LATER: a following expression may change it before it is used. */
const char *emit_before(struct emitter *em, struct expr *e, bool later);

/* May evaluating E change a variable? */
bool emit_has_effect(struct expr *e);
bool emit_is_constant(const struct expr *e);
/* Does one of the expressions whose text E may return unchanged satisfy IS? */
bool emit_any_origin(const struct expr *e, bool (*is)(const struct expr *e, const void *data),
		     const void *data);
bool emit_lies_in_element(const struct expr *e);

/* The same as emit_keys; LATER: a following expression may change a variable before the keys are used. */
const char *emit_keys_before(struct emitter *em, const struct variable *array, const expr_list *keys,
			     unsigned *wild, bool later);
/* A pointer to the element's number; the element is inserted if it does not exist. */
const char *emit_slot(struct emitter *em, const struct expr *e, const char *keys);
/* "identifier 'a'", for messages. */
const char *emit_element_name(struct emitter *em, const struct expr *e);

const char *emit_name(struct emitter *em, const struct expr *e);
const char *emit_concat(struct emitter *em, const char *a, const char *b, struct span at);
/* A OP B for numbers; RIGHT is the expression of B. */
const char *emit_arithmetic(struct emitter *em, enum op op, const char *a, const char *b,
			    const struct expr *right, struct span at);

/* assign.c, call.c */
const char *emit_assign(struct emitter *em, struct expr *e, bool value_wanted);
const char *emit_step(struct emitter *em, struct expr *e, bool value_wanted);
const char *emit_call(struct emitter *em, struct expr *e);

#endif
