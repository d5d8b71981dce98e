/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls in a probe's condition. */
#ifndef TAPC_RESOLVE_CONDITION_H
#define TAPC_RESOLVE_CONDITION_H

#include "syntax/ast.h"

/* Warns if the resolved call E leads to a function whose value depends on the hit of a probe. */
void condition_check_call(struct arena *a, const struct expr *e);

#endif
