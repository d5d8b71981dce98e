/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target variables to C. */
#ifndef TAPC_EMIT_TARGET_H
#define TAPC_EMIT_TARGET_H

#include "emitter.h"

/* The value of a TARGET or ARROW, read without faults. */
const char *emit_target(struct emitter *em, struct expr *e);

/* A target variable to write to: its address, and its old value if needed. */
struct emitted_target {
	const char *address;		/* NULL: a register, or a variable of the family */
	const char *old;		/* a temporary, or "0" */
};
struct emitted_target emit_target_place(struct emitter *em, struct expr *e, bool wants_old);
void emit_target_store(struct emitter *em, struct expr *e, const struct emitted_target *place,
		       const char *value);

/* @enumname */
const char *emit_enumerator_name(struct emitter *em, struct expr *e);

#endif
