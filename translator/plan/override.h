/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAPC_PLAN_OVERRIDE_H
#define TAPC_PLAN_OVERRIDE_H

struct plan;

/* Handlers that leave out the function they are at must be where that can be done; errors are told. */
void plan_overrides(const struct plan *p);

#endif
