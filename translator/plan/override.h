/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAPC_PLAN_OVERRIDE_H
#define TAPC_PLAN_OVERRIDE_H

struct plan;

/* Checks that handlers that skip the probed function are at sites where this is possible; reports errors. */
void plan_overrides(const struct plan *p);

#endif
