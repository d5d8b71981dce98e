/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: the state of the function or handler that is being written. */
#ifndef TAPC_EMIT_EMITTER_H
#define TAPC_EMIT_EMITTER_H

#include "plan/plan.h"
#include "base/text.h"

/* What is known about an element at a place of the text, see element.h; in the order of how much that is. */
enum element_state {
	ELEMENT_UNKNOWN,
	ELEMENT_FOUND,			/* its pointer is right: NULL if it does not exist */
	ELEMENT_EXISTS,
};
struct known_element {
	const struct variable *array;
	const expr_list *keys;
	const char *pointer;
	enum element_state state;
};

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
	const char *regs;		/* the C variable with the registers; NULL: they are in the context */
	const char *held;		/* the root of the value that is being printed as a whole */
	const char *fail;		/* label to go to on an error */
	bool fail_used, out_used;
	bool checks_later;		/* in a text checked at its end: until then, unreadable values are 0 */
	bool in_region;			/* the handler holds its locks */
	unsigned commits;		/* effects announced so far, see emit_commit */
	const struct stmt *last;	/* last statement of a handler: it need not restore the scratch stack */
	bool scratch_used;		/* the current statement put temporaries on the scratch stack */
	struct open_loop *loops;	/* innermost first */
	bool keeps_elements;		/* pointers to elements are declared at the beginning */
	unsigned pointers;		/* how many */
	VEC(struct known_element) known;
};

/* A loop around the current statement. */
struct open_loop {
	struct open_loop *outer;
	const char *iterator;		/* of a foreach over an array: must be closed on each way out */
	const char *continue_label, *break_label;
	bool continue_used, break_used;
};

#endif
