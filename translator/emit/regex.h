/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of compiled regular expressions. */
#ifndef TAPC_EMIT_REGEX_H
#define TAPC_EMIT_REGEX_H

#include "plan/plan.h"
#include "base/text.h"

/* Compiles and numbers the patterns of all =~ in the program; reports patterns that cannot be compiled. */
bool plan_regexes(struct plan *p);
void emit_regexes(const struct plan *p, struct text *out);

#endif
