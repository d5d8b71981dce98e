/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a probe family offers to the bodies of its probes: see offered_names.c. */
#ifndef TAPC_OFFERED_NAMES_H
#define TAPC_OFFERED_NAMES_H

#include "points/handler.h"

struct resolver;

/* Appends to OUT either H, or several handlers that share its sites. In their bodies, offered names that are
 * used have values. */
void offered_names_set(const struct resolver *r, struct handler *h, handler_list *out);

#endif
