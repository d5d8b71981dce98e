/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: assignments. */
#ifndef TAPC_EMIT_ASSIGN_H
#define TAPC_EMIT_ASSIGN_H

#include "emitter.h"

/* Sets the variable or element LEFT to the C expression VALUE. */
void emit_store(struct emitter *em, struct expr *left, const char *value, bool value_is_literal);
/* =, += and so on; ++ and --. Returns their value, if VALUE_WANTED. */
const char *emit_assign(struct emitter *em, struct expr *e, bool value_wanted);
const char *emit_step(struct emitter *em, struct expr *e, bool value_wanted);

#endif
