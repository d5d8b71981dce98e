/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --source: the source of probed functions, which lines can be probed, what can be seen there. */
#ifndef TAPC_SOURCE_VIEW_H
#define TAPC_SOURCE_VIEW_H

#include <stdbool.h>

struct program;
struct translation;

/* False, with a message: nothing tells lines. */
bool source_view(struct translation *t, const struct program *p);

#endif
