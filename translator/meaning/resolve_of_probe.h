/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that use the target variables of the probe that calls them. */
#ifndef TAPC_RESOLVE_OF_PROBE_H
#define TAPC_RESOLVE_OF_PROBE_H

#include "resolver.h"

/* Does F, or what it calls, name variables of a probe? */
bool function_is_of_probe(struct library *lib, struct arena *a, struct function *f);
/* The copy of F for the handler at hand, whose body is still to be resolved. */
struct function *resolve_own_copy(struct resolver *r, struct function *f);

#endif
