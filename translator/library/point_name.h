/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches probe points, as written in a script, with names. Names are dotted, "timer.ms(number)". A word of a point
 * may be a pattern, in which "*" matches any text without dots and "**" any text. */
#ifndef TAPC_POINT_NAME_H
#define TAPC_POINT_NAME_H

#include "syntax/ast.h"

/* Does P match the name DOTTED? PREFIX: the name may match only the first components of P. *USED is their number. */
bool point_name_fits(struct arena *a, const struct point *p, const char *dotted, bool prefix,
		     size_t *used);
/* Returns P with its patterns replaced by the words of DOTTED, which may change the number of its components; P itself
 * if it has no patterns; NULL if it does not match. */
const struct point *point_name_meant(struct arena *a, const struct point *p, const char *dotted, bool prefix,
				     size_t *used);

#endif
