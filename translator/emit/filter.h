/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of packet filters. */
#ifndef TAPC_EMIT_FILTER_H
#define TAPC_EMIT_FILTER_H

#include "plan/plan.h"
#include "base/text.h"

/* Compiles and numbers the filters of all @packet_matches in the program; reports those that cannot be compiled. */
bool plan_filters(struct plan *p);
void emit_filters(const struct plan *p, struct text *out);

#endif
