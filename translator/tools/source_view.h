/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --source: the source of probed functions, the lines that can be probed, and the variables
 * available there. */
#ifndef TAPC_SOURCE_VIEW_H
#define TAPC_SOURCE_VIEW_H

#include <stdbool.h>

struct program;
struct arena;
struct target_host;

/* False, with a message: no line information was found. */
bool source_view(const struct target_host *host, struct arena *a, const struct program *p);

#endif
