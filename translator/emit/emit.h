/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a plan as C: tables and handlers, without the logic of the runtime. */
#ifndef TAPC_EMIT_H
#define TAPC_EMIT_H

#include "plan/plan.h"
#include "base/text.h"

/* Writes script.c, and embedded.c to EMBEDDED if the script contains C code. */
void emit_script(struct plan *p, struct text *script, struct text *embedded);
/* Writes the C code of a shipped tapset file's %{ %} functions, for the runtime's archive. */
void emit_tapset(struct translation *t, const struct script *s, struct text *out);

/* ---- internal to emit ---- */

/* The function or handler being written. */
struct emitter {
	struct plan *plan;
	struct arena *arena;
	struct text *out;		/* statements go here */
	unsigned indent;
	unsigned next_temp;		/* numbers of temporaries, unique in a function */
	unsigned next_label;
	const struct function *function;	/* or NULL */
	const struct handler_plan *handler;	/* or NULL */
	const char *held;		/* the root of the value that is being printed as a whole */
	const char *fail;		/* label to go to on an error */
	bool fail_used, out_used;
	bool checks_later;		/* in a text checked at its end: until then, unreadable values are 0 */
	bool in_region;			/* the handler holds its locks */
	const struct stmt *last;	/* last statement of a handler: it need not restore the scratch stack */
	bool scratch_used;		/* the current statement put temporaries on the scratch stack */
	struct open_loop *loops;	/* innermost first */
};

/* A loop around the current statement. */
struct open_loop {
	struct open_loop *outer;
	const char *iterator;		/* of a foreach over an array: must be closed on each way out */
	const char *continue_label, *break_label;
	bool continue_used, break_used;
};

/* Writes an indented line of C. */
void emit_line(struct emitter *em, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *emit_temp(struct emitter *em);
/* Writes "if (c->error) goto fail;". WHAT ("operator '/'") is recorded with the error, unless it is NULL. */
void emit_check(struct emitter *em, const char *what, struct span at);
/* F's prototype, as a C function NAME. */
const char *emit_signature(struct arena *a, const struct function *f, const char *name);
/* The script's own C code: embedded.c, and its declarations for script.c. */
void emit_embedded(struct plan *p, struct text *out);
void emit_declare_embedded(struct plan *p, struct text *out);
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
/* Sets the variable or element LEFT to the C expression VALUE. */
void emit_store(struct emitter *em, struct expr *left, const char *value, bool value_is_literal);
/* Does ARRAY map one number to numbers? The functions that take its key directly end in "_number". */
bool emit_is_numbered(const struct variable *array);
/* An array of key values; NULL elements of KEYS are wildcards, whose bits are set in *WILD. */
const char *emit_slice(struct emitter *em, const struct variable *array, const expr_list *keys,
		       unsigned *wild);
/* The same, or the only key of a numbered array, if it is not wild. */
const char *emit_keys(struct emitter *em, const struct variable *array, const expr_list *keys,
		      unsigned *wild);
void emit_statement(struct emitter *em, struct stmt *s);
/* The text after "tap_lock" or "tap_unlock" for the handler's locks. */
const char *emit_lock_arguments(const struct emitter *em);
/* The plan of V; NULL for a local. */
const struct global_plan *emit_global(const struct emitter *em, const struct variable *v);

#endif
