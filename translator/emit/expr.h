/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: expressions, and what all files that write them share. */
#ifndef TAPC_EMIT_EXPR_H
#define TAPC_EMIT_EXPR_H

#include "emitter.h"

/* Writes an indented line of C. */
void emit_line(struct emitter *em, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *emit_temp(struct emitter *em);
/* Before an effect, and after its operands: the handler does not run again from here on, and is left if it has to. */
void emit_commit(struct emitter *em);
/* Writes "if (c->error) goto fail;". WHAT ("operator '/'") is recorded with the error, unless it is NULL. */
void emit_check(struct emitter *em, const char *what, struct span at);
const char *emit_c_string(struct emitter *em, const char *s, size_t n);

/* Returns the value of E as a C expression without side effects, of type s64 or struct tap_string. Side
 * effects are written as statements before it. */
const char *emit_expr(struct emitter *em, struct expr *e);
/* Evaluates E only for its side effects. */
void emit_effect(struct emitter *em, struct expr *e);
/* May the string E still be in the variable or element that it comes from? */
bool emit_lies_in_variable(const struct expr *e);
/* May evaluating one of LIST, from index FROM on, change a variable? */
bool emit_any_effect(const expr_list *list, size_t from);
/* Returns E as a C condition. */
const char *emit_condition(struct emitter *em, struct expr *e);

/* Does ARRAY map one number to numbers? The functions that take its key directly end in "_number". */
bool emit_is_numbered(const struct variable *array);
/* An array of key values; NULL elements of KEYS are wildcards, whose bits are set in *WILD. */
const char *emit_slice(struct emitter *em, const struct variable *array, const expr_list *keys,
		       unsigned *wild);
/* The same, or the only key of a numbered array, if it is not wild. */
const char *emit_keys(struct emitter *em, const struct variable *array, const expr_list *keys,
		      unsigned *wild);
bool emit_has_wildcard(const expr_list *keys);
/* The plan of V; NULL for a local. */
const struct global_plan *emit_global(const struct emitter *em, const struct variable *v);

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
/* "identifier 'a'", for messages. */
const char *emit_element_name(struct emitter *em, const struct expr *e);

const char *emit_name(struct emitter *em, const struct expr *e);
const char *emit_concat(struct emitter *em, const char *a, const char *b, struct span at);
/* A OP B for numbers; RIGHT is the expression of B. */
const char *emit_arithmetic(struct emitter *em, enum op op, const char *a, const char *b,
			    const struct expr *right, struct span at);

/* The concatenation of PIECES, named WHAT in errors. */
const char *emit_join(struct emitter *em, const name_list *pieces, const char *what, struct span at);
/* A pointer to the merged aggregate of a STAT or HIST. */
const char *emit_stat_pointer(struct emitter *em, struct expr *e);

#endif
