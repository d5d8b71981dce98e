/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals that a script writes and never reads are printed when it ends. */
#ifndef TAPC_DISPLAY_H
#define TAPC_DISPLAY_H

#include "resolve.h"

struct translation;

/* The text of 'probe end' for all such globals of P, after infer; NULL when there are none. */
const char *display_globals(struct translation *t, const struct program *p);

#endif
