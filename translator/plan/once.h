/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a handler prints at most once, and by its own statement (runtime/abi/tap_print.h). */
#ifndef TAPC_PLAN_ONCE_H
#define TAPC_PLAN_ONCE_H

#include "plan.h"

bool plan_prints_once(const struct plan *p, const struct handler_plan *h, const struct effects *effects);

#endif
