/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of an image, and the arguments that their handlers are given. */
#ifndef TAPC_DEBUGINFO_TRACEPOINT_H
#define TAPC_DEBUGINFO_TRACEPOINT_H

#include "place.h"

struct tracepoint {
	const char *name;
	const char *system;		/* "sched"; NULL: not known */
	const char *module;		/* NULL: the kernel itself */
};
struct tracepoints { VEC(struct tracepoint) list; };

/* Append the tracepoints of an image whose names match PATTERN to FOUND, sorted by name. */
enum debuginfo_answer debuginfo_tracepoints(struct debuginfo *d, const char *pattern,
					    struct tracepoints *found);
/* A tracepoint with a name similar to NAME, or NULL. */
const char *debuginfo_suggest_tracepoint(struct debuginfo *d, const char *name);

/* The arguments of tracepoint NAME of D, in order, as they are GIVEN to a handler: one word after the other. */
enum debuginfo_answer debuginfo_tracepoint_arguments(struct debuginfo *d, const char *name,
						     debug_variables *out);

#endif
