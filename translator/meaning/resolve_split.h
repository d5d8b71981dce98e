/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits handlers by sites: see resolve_split.c. */
#ifndef TAPC_RESOLVE_SPLIT_H
#define TAPC_RESOLVE_SPLIT_H

#include "points/handler.h"

struct resolver;

/* Appends to OUT either H, or several handlers that share its sites. */
void target_split(const struct resolver *r, struct handler *h, handler_list *out);

#endif
