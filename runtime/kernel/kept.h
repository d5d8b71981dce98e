/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What entry handlers keep for the return of the same call, where the kernel has no place for it: by task
 * and stack. Nothing is allocated, nothing waits. */
#ifndef TAP_KEPT_H
#define TAP_KEPT_H

#include "session.h"

struct tap_kept;

struct tap_kept *tap_kept_new(u32 size);	/* SIZE bytes a call; NULL: no memory */
void tap_kept_free(struct tap_kept *kept);

/* Room for the call of PLACE that the current task makes with the stack pointer STACK. NULL: none left. */
void *tap_kept_add(struct tap_kept *kept, const void *place, unsigned long stack);
/* What was added for this call, whose stack pointer may be up to SLACK higher by now; NULL: nothing. */
void *tap_kept_find(struct tap_kept *kept, const void *place, unsigned long stack, unsigned long slack);
void tap_kept_drop(void *data);
/* The current task ends: its calls do not return. */
void tap_kept_forget(struct tap_kept *kept);

#endif
