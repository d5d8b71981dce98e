/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to emit: calls of functions. */
#ifndef TAPC_EMIT_CALL_H
#define TAPC_EMIT_CALL_H

#include "emitter.h"

/* Returns the value of the call; "0" if it has none. */
const char *emit_call(struct emitter *em, struct expr *e);

#endif
