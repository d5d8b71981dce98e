/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolve probe points: from what a script writes to sites, through aliases, wildcards, and the
 * families. */
#ifndef TAPC_POINT_H
#define TAPC_POINT_H

#include "syntax/ast.h"
#include "points/handler.h"

struct library;

/* Resolve all points of PROBE and append its handlers; errors are reported. */
bool point_resolve(struct translation *t, struct library *lib, struct probe *probe, handler_list *out);

#endif
