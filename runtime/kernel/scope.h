/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks whose hits the session handles: all, or those of --cgroup, which are in one cgroup or below it. */
#ifndef TAP_SCOPE_H
#define TAP_SCOPE_H

#include "session.h"

/* Whether the kernel can do it. */
bool tap_scope_is_supported(void);

/* Whether there is such a limit. */
static inline bool tap_scope_is_given(void)
{
	return unlikely(tap_session.configuration.cgroup);
}

/* If there is one: whether the current task is in the subtree. From any context; preemption is off. */
bool tap_scope_has_current(void);
/* Runs the handler of the frame's row if so. Otherwise there was no hit. */
void tap_scope_run(struct tap_context *c);

#endif
