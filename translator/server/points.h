/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion of probe points. */
#ifndef TAPC_SERVER_POINTS_H
#define TAPC_SERVER_POINTS_H

#include "proposals.h"

/* The next component of the point, and a string in it. */
void points_propose(struct proposals *p, const struct scan *s);
void points_propose_argument(struct proposals *p, const struct scan *s);
/* The point as written up to the token END, and the names that families and the library give its beginning. */
const char *point_written(const struct scan *s, struct arena *a, size_t first, size_t end);

#endif
