/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals as text: those that a script writes and never reads when it ends, all of them while it runs. */
#ifndef TAPC_DISPLAY_H
#define TAPC_DISPLAY_H

#include "resolve.h"

struct translation;

/* The text of 'probe end' for all such globals of P, after infer; NULL when there are none. */
const char *display_globals(struct translation *t, const struct program *p);
/* The same for all of the script's, as the probe of a file in /proc: of arrays the ten largest. */
const char *display_for_monitor(struct translation *t, const struct program *p);
/* S is such a text: its names are P's globals. Before it is resolved. */
void display_bind(struct script *s, struct program *p);

#endif
