/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data that entry handlers save for the return of the same call, if the kernel has no storage for it: by task and
 * stack pointer. Never allocates or waits. */
#ifndef TAP_KEPT_H
#define TAP_KEPT_H

#include "session.h"

struct tap_kept;

struct tap_kept *tap_kept_new(u32 size);	/* SIZE bytes per call; NULL: no memory */
void tap_kept_free(struct tap_kept *kept);

/* Storage for the call of PLACE that the current task makes with the stack pointer STACK. NULL if the window is
 * full. */
void *tap_kept_add(struct tap_kept *kept, const void *place, unsigned long stack);
/* The same where calls of PLACE with one stack pointer cannot be nested: an earlier one did not return. */
void *tap_kept_renew(struct tap_kept *kept, const void *place, unsigned long stack);
/* The storage added for this call, whose stack pointer may be up to SLACK higher by now; NULL if not found. */
void *tap_kept_find(struct tap_kept *kept, const void *place, unsigned long stack, unsigned long slack);
void tap_kept_drop(void *data);
/* The current task ends: its calls will not return. */
void tap_kept_forget(struct tap_kept *kept);

#endif
