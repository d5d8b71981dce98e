/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals in the C code of scripts, and parameters in %{ %} as a value. */
#ifndef TAPC_RESOLVE_EMBEDDED_H
#define TAPC_RESOLVE_EMBEDDED_H

struct expr;
struct resolver;

/* Finds the parameters of the current function that the C of E names. */
void resolve_embedded_parameters(struct resolver *r, struct expr *e);

/* Generates the functions that implement STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x, for all C code of the program
 * with pragma:read:x or pragma:write:x. Called after everything else is resolved. */
void resolve_embedded(const struct resolver *r);

#endif
