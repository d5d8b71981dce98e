/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of a function's arguments and result according to the architecture's calling convention. */
#ifndef TAPC_DEBUGINFO_CONVENTION_H
#define TAPC_DEBUGINFO_CONVENTION_H

#include "debuginfo/place.h"

/* The places of the N arguments of these types at the entry of a function of D that returns RESULT,
 * and the place of its result. */
void convention_arguments(struct debuginfo *d, const struct debug_type *result, const struct debug_type *const *types,
			  size_t n, struct location *out);
struct location convention_result(struct debuginfo *d, const struct debug_type *t);

#endif
