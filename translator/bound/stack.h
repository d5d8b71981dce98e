/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack that probes use, from the compiler's figures for each function. */
#ifndef TAPC_BOUND_STACK_H
#define TAPC_BOUND_STACK_H

#include "base/map.h"
#include "bound.h"

/* Stack frames of functions. */
struct bound_frames {
	struct map bytes;		/* "probe_0" -> uint64_t */
	bool known;
};

/* USAGE: output of gcc -fstack-usage; NULL: nothing was compiled. */
void bound_read_frames(struct bound_frames *f, struct arena *a, const char *usage);
/* Compute the stack usage, once the frames of functions are known. */
void bound_add_stack(struct bound *b, const struct bound_frames *frames);

#endif
