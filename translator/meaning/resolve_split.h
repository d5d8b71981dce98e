/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers for sites that are alike: see resolve_split.c. */
#ifndef TAPC_RESOLVE_SPLIT_H
#define TAPC_RESOLVE_SPLIT_H

#include "points/handler.h"

struct library;

/* H, or handlers with a part of its sites each, appended to OUT. */
void target_split(struct translation *t, struct library *lib, struct handler *h, handler_list *out);

#endif
