/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a function's arguments and result are by the architecture's calling convention. */
#ifndef TAPC_DEBUGINFO_CONVENTION_H
#define TAPC_DEBUGINFO_CONVENTION_H

#include "debuginfo/place.h"

/* Where the N arguments of these types are when a function of D is entered that returns RESULT, and
 * what it returns. */
void convention_arguments(struct debuginfo *d, const struct debug_type *result, const struct debug_type *const *types,
			  size_t n, struct location *out);
struct location convention_result(struct debuginfo *d, const struct debug_type *t);

#endif
