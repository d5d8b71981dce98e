/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: statements. */
#ifndef TAPC_EMIT_STMT_H
#define TAPC_EMIT_STMT_H

#include "emitter.h"

void emit_statement(struct emitter *em, struct stmt *s);
/* Does the handler take one lock, for a brief region? */
bool emit_takes_one_lock(const struct handler_plan *h);
/* The text after "tap_lock" or "tap_unlock" for the handler's locks. */
const char *emit_lock_arguments(const struct emitter *em);

#endif
