/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a script. */
#ifndef TAPC_PLAN_LIMITS_H
#define TAPC_PLAN_LIMITS_H

#include <stdbool.h>

struct plan;

/* Is NAME one that -D sets? */
bool plan_limit_is_known(const char *name);

/* The members max_... of P, from -D. Bad values are told of. */
void plan_limits(struct plan *p);
/* Bytes of scratch that a context gets: known when functions and handlers are. */
unsigned plan_scratch(struct plan *p);

#endif
