/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of script.c: globals, formats, rows of probes, the script itself. */
#ifndef TAPC_EMIT_MODULE_H
#define TAPC_EMIT_MODULE_H

#include "plan/plan.h"
#include "base/text.h"

#include "tap_script.h"

/* How the runtime lays out the aggregate V and the array G; STAT: of an array of aggregates. */
struct tap_stat_shape emit_stat_shape(const struct variable *v);
u32 emit_stat_bytes(const struct variable *v);
void emit_map_shape(const struct global_plan *g, struct tap_map_shape *shape, struct tap_stat_shape *stat);
/* What stands before the functions: globals, shapes, cells. */
void emit_module_head(struct plan *p, struct text *out);
/* What stands behind them. */
void emit_module_tables(struct plan *p, struct text *out);

#endif
