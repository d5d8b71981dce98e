/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a plan as C: tables and handlers, without the logic of the runtime. */
#ifndef TAPC_EMIT_H
#define TAPC_EMIT_H

#include "plan/plan.h"
#include "base/text.h"

/* Writes script.c, and embedded.c to EMBEDDED if the script contains C code. */
void emit_script(struct plan *p, struct text *script, struct text *embedded);

/* Internal to emit: F's prototype, as a C function NAME. */
const char *emit_signature(struct arena *a, const struct function *f, const char *name);

#endif
