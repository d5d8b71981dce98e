/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of script.c: globals, formats, rows of probes, the script itself. */
#ifndef TAPC_EMIT_MODULE_H
#define TAPC_EMIT_MODULE_H

#include "plan.h"
#include "text.h"

/* What stands before the functions: globals, shapes, cells. */
void emit_module_head(struct plan *p, struct text *out);
/* What stands behind them. */
void emit_module_tables(struct plan *p, struct text *out);

#endif
