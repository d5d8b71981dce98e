/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves the probe points of a script to sites, through aliases, wildcards and the families. */
#ifndef TAPC_POINT_H
#define TAPC_POINT_H

#include "syntax/ast.h"
#include "points/handler.h"

struct resolver;

/* Resolves all points of PROBE and appends its handlers to OUT; reports errors. */
void point_resolve(struct resolver *r, struct probe *probe, handler_list *out);

#endif
