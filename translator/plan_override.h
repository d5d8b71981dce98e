/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAPC_PLAN_OVERRIDE_H
#define TAPC_PLAN_OVERRIDE_H

#include <stdbool.h>

struct plan;

/* Handlers that leave out the function they are at must be where that can be done. */
bool plan_overrides(const struct plan *p);

#endif
