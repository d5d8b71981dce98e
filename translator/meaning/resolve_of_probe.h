/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that use the target variables of the probe that calls them. */
#ifndef TAPC_RESOLVE_OF_PROBE_H
#define TAPC_RESOLVE_OF_PROBE_H

#include "resolver.h"

/* Does F, or a function that it calls, use variables of a probe? */
bool function_is_of_probe(struct library *lib, struct arena *a, struct function *f);
/* The copy of F for the current handler. Its body may not be resolved yet. */
struct function *resolve_own_copy(struct resolver *r, struct function *f);

#endif
