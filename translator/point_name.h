/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a probe point, as it is written, fit a name? Names are dotted, "timer.ms(number)"; points may
 * have wildcards in their words, and "**" for any words. */
#ifndef TAPC_POINT_NAME_H
#define TAPC_POINT_NAME_H

#include "ast.h"

/* PREFIX: the name may stand for the point's first components only. *USED: how many it took. */
bool point_name_fits(struct arena *a, const struct point *p, const char *dotted, bool prefix,
		     size_t *used);

#endif
