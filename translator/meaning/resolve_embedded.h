/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals in a script's own C. */
#ifndef TAPC_RESOLVE_EMBEDDED_H
#define TAPC_RESOLVE_EMBEDDED_H

struct library;
struct program;
struct translation;

/* After everything else is resolved: the functions behind STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x for
 * all C of the program that says pragma:read:x and pragma:write:x. */
void resolve_embedded(struct translation *t, struct library *lib, struct program *p);

#endif
