/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a probe point, as it is written, fit a name? Names are dotted, "timer.ms(number)"; a word of a point
 * may be a pattern, in which "*" stands for anything within one name and "**" for dots, too. */
#ifndef TAPC_POINT_NAME_H
#define TAPC_POINT_NAME_H

#include "syntax/ast.h"

/* PREFIX: the name may stand for the point's first components only. *USED: how many it took. */
bool point_name_fits(struct arena *a, const struct point *p, const char *dotted, bool prefix,
		     size_t *used);
/* P with the words of DOTTED in place of its patterns, which may change the number of its components; P itself
 * when it has none; NULL when it does not fit. */
const struct point *point_name_meant(struct arena *a, const struct point *p, const char *dotted, bool prefix,
				     size_t *used);

#endif
