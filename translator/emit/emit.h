/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a plan to C: tables and handlers, no logic of the runtime's. */
#ifndef TAPC_EMIT_H
#define TAPC_EMIT_H

#include "plan/plan.h"
#include "base/text.h"

/* The whole of script.c. EMBEDDED is filled with embedded.c when the script has C of its own, else
 * left empty. */
void emit_script(struct plan *p, struct text *script, struct text *embedded);
/* C of a shipped tapset file's %{ %} functions, for the runtime's archive. */
void emit_tapset(struct translation *t, const struct script *s, struct text *out);

/* ---- inside of emit ---- */

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
	bool checks_later;		/* of a text made at once: what cannot be read reads 0 meanwhile */
	bool in_region;			/* the handler holds its locks */
	const struct stmt *last;	/* of a handler: behind it nobody needs the scratch stack */
	bool scratch_used;		/* the statement at hand put temporaries on the scratch stack */
	struct open_loop *loops;	/* innermost first */
};

/* A loop around the statement at hand. */
struct open_loop {
	struct open_loop *outer;
	const char *iterator;		/* of a foreach over an array: to be closed on the way out */
	const char *continue_label, *break_label;
	bool continue_used, break_used;
};

/* A line of C, indented. */
void emit_line(struct emitter *em, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *emit_temp(struct emitter *em);
/* "if (c->error) goto fail;" with WHERE ("operator '/'") noted, or left as it is when NULL. */
void emit_check(struct emitter *em, const char *what, struct span at);
/* F's prototype, as a function NAME in C. */
const char *emit_signature(struct arena *a, const struct function *f, const char *name);
/* The script's own C: embedded.c, and what script.c has to know of it. */
void emit_embedded(struct plan *p, struct text *out);
void emit_declare_embedded(struct plan *p, struct text *out);
const char *emit_c_string(struct emitter *em, const char *s, size_t n);

/* The value of E as a C expression without side effects; what must happen first is written as
 * statements. Of type s64 or struct tap_string. */
const char *emit_expr(struct emitter *em, struct expr *e);
/* E for its effect only. */
void emit_effect(struct emitter *em, struct expr *e);
/* May the string E still be in the variable or element that it is from? */
bool emit_lies_in_variable(const struct expr *e);
/* May evaluating one of LIST from number FROM on change a variable? */
bool emit_any_effect(const expr_list *list, size_t from);
/* A C condition. */
const char *emit_condition(struct emitter *em, struct expr *e);
/* Set the variable or element LEFT to the C expression VALUE. */
void emit_store(struct emitter *em, struct expr *left, const char *value, bool value_is_literal);
/* From one number to numbers: the functions that take its key as it is end in "_number". */
bool emit_is_numbered(const struct variable *array);
/* An array of key values; NULL elements of KEYS are wild, and their bits set in *WILD. */
const char *emit_slice(struct emitter *em, const struct variable *array, const expr_list *keys,
		       unsigned *wild);
/* The same, or the only key of a numbered array, if it is not wild. */
const char *emit_keys(struct emitter *em, const struct variable *array, const expr_list *keys,
		      unsigned *wild);
void emit_statement(struct emitter *em, struct stmt *s);
/* What follows "tap_lock" or "tap_unlock" for the handler's locks. */
const char *emit_lock_arguments(const struct emitter *em);
/* What is planned for V; NULL for a local. */
const struct global_plan *emit_global(const struct emitter *em, const struct variable *v);

#endif
