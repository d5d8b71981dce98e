/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole values as text; internal to target. */
#ifndef TAPC_TARGET_PRETTY_H
#define TAPC_TARGET_PRETTY_H

#include "walk.h"

struct text;

/* The text of the current part, printed to DEPTH (1: $, 2: $$): a sprintf of parts relative to
 * w->access, which becomes the address of the structure, or the value itself. */
struct expr *target_pretty(struct target_walk *w, unsigned depth);
/* sprintf(FORMAT, ARGS) at AT. */
struct expr *target_sprintf(struct arena *a, struct span at, const struct text *format, const expr_list *args);

#endif
