/* SPDX-License-Identifier: GPL-2.0-or-later */
/* .callee("g") and .callees. */
#ifndef TAPC_PLACE_CALLEE_H
#define TAPC_PLACE_CALLEE_H

#include "place_search.h"

/* Add the functions that ROOTS call. False with reasons: none was found. */
bool place_search_callees(struct place_search *s, const debug_places *roots);

#endif
