/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracepoints by name: they are not exported. */
#ifndef TAP_TRACEPOINTS_H
#define TAP_TRACEPOINTS_H

#include <linux/tracepoint.h>

#include "session.h"

/* The tracepoint NAME's probe: PROBE gets DATA and the tracepoint's arguments. */
struct tap_listener {
	const char *name;
	void *probe;
	struct tracepoint *found;	/* set if registered */
};

/* Registers the N listeners of LIST; -ENOENT if the kernel lacks one of the tracepoints. Listeners registered
 * before a failure stay registered. */
int tap_listeners_start(struct tap_listener *list, u32 n);
/* When it returns none of these probes is running. */
void tap_listeners_stop(struct tap_listener *list, u32 n);

#endif
