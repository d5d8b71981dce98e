/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leave out what has no effect: variables that are set and never used, as an alias's often are. */
#ifndef TAPC_SIMPLIFY_H
#define TAPC_SIMPLIFY_H

#include "resolve.h"

struct library;
struct translation;

void simplify_program(struct translation *t, struct library *lib, struct program *p);

#endif
