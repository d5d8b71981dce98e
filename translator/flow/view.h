/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run as the language server sees it: texts are translated one after the other. */
#ifndef TAPC_VIEW_H
#define TAPC_VIEW_H

#include "run.h"
#include "server/analysis.h"

/* The run's options and target are set. */
struct analyst view_open(struct run *r);
void view_close(struct run *r);

#endif
