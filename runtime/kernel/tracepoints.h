/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracepoints by name: they are not exported. */
#ifndef TAP_TRACEPOINTS_H
#define TAP_TRACEPOINTS_H

#include <linux/tracepoint.h>

#include "session.h"

/* Is NAME's probe: PROBE gets (DATA, the tracepoint's arguments). */
struct tap_listener {
	const char *name;
	void *probe;
	struct tracepoint *found;	/* registered */
};

/* Register those of LIST, N of them; -ENOENT when the kernel has not all of them. What was registered before
 * something failed stays so. */
int tap_listeners_start(struct tap_listener *list, u32 n);
/* On return no probe of these runs. */
void tap_listeners_stop(struct tap_listener *list, u32 n);

#endif
