/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes dead code: variables that are set and never used, as is common for those of an alias. */
#ifndef TAPC_SIMPLIFY_H
#define TAPC_SIMPLIFY_H

#include "resolve.h"

struct library;
struct translation;

void simplify_program(struct translation *t, struct library *lib, struct program *p);

#endif
