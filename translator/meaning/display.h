/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints globals: at the end of a script those that it writes and never reads, while it runs all of them. */
#ifndef TAPC_DISPLAY_H
#define TAPC_DISPLAY_H

#include "resolve.h"

struct arena;

/* Returns the text of a 'probe end' that prints the globals of P that are written and never read; NULL if there are
 * none. Called after infer. */
const char *display_globals(struct arena *a, const struct program *p);
/* Returns the text of a procfs probe that prints all globals of the script; of arrays, the ten largest elements. */
const char *display_for_monitor(struct arena *a, const struct program *p);
/* Binds the names in S, which is parsed from such a text, to P's globals. Called before S is resolved. */
void display_bind(struct script *s, struct program *p);

#endif
