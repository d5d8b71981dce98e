/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C code: that of the script's own files, of shipped tapsets, and %{ %} as values. */
#ifndef TAPC_EMIT_EMBEDDED_H
#define TAPC_EMIT_EMBEDDED_H

#include "emitter.h"

/* Writes the C code of a shipped tapset file's %{ %} functions, for the runtime's archive. */
void emit_tapset(const struct script *s, struct text *out);

/* The script's own C code: embedded.c, and its declarations for script.c. */
void emit_embedded(struct plan *p, struct text *out);
void emit_declare_embedded(struct plan *p, struct text *out);
/* %{ %} as a value. */
const char *emit_embedded_expr(struct emitter *em, struct expr *e);

#endif
