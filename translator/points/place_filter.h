/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which places can be probed. */
#ifndef TAPC_PLACE_FILTER_H
#define TAPC_PLACE_FILTER_H

#include "place_search.h"

/* Should P be added? A place that cannot be probed is counted or reported. */
bool place_search_wants(struct place_search *s, const struct debug_place *p);

/* .takes("NAME"): the number of the first argument, from 1, that is in a register and points to a struct NAME, or with
 * TAP_TAKEN_BY_POINTER to a pointer to one; 0: no argument does. */
unsigned place_taken(struct place_search *s, const struct debug_place *p);

#endif
