/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a script, set with -D. */
#ifndef TAPC_PLAN_LIMITS_H
#define TAPC_PLAN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct histogram;
struct plan;

/* Is NAME a limit that -D can set? */
bool plan_limit_is_known(const char *name);

/* Sets the members max_... of P from -D. Reports invalid values. */
void plan_limits(struct plan *p);
/* Bytes of scratch memory for a context. Called when functions and handlers are known. */
unsigned plan_scratch(struct plan *p);
/* The number of buckets of H. */
int64_t plan_histogram_buckets(const struct histogram *h);

#endif
