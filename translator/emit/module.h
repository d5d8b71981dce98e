/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of script.c: globals, formats, rows of probes, the script itself. */
#ifndef TAPC_EMIT_MODULE_H
#define TAPC_EMIT_MODULE_H

#include "plan/plan.h"
#include "base/text.h"

#include "tap_script.h"

/* The layout of the aggregate V and of the array G in the runtime; STAT is used for an array of aggregates. */
struct tap_stat_shape emit_stat_shape(const struct variable *v);
u32 emit_stat_bytes(const struct variable *v);
/* The size, at most, of what the entry keeps for the handler H. */
u32 emit_entry_bytes(const struct plan *p, const struct handler_plan *h);
void emit_map_shape(const struct global_plan *g, struct tap_map_shape *shape, struct tap_stat_shape *stat);
/* The declarations before the functions: globals, shapes, cells. */
void emit_module_head(struct plan *p, struct text *out);
/* The tables after the functions. */
void emit_module_tables(struct plan *p, struct text *out);

#endif
