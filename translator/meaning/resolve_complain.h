/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors that can only be reported when it is known what of the program is used. */
#ifndef TAPC_RESOLVE_COMPLAIN_H
#define TAPC_RESOLVE_COMPLAIN_H

#include <stdbool.h>

struct program;
struct translation;

/* Reports target variables that could not be resolved and that simplify did not remove; with --skip-badvars
 * they read as 0. */
bool resolve_complain(struct translation *t, struct program *p);

#endif
