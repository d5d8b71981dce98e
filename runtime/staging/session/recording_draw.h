/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as a timeline: on the row of each CPU the threads that run, with interrupts; on the rows of threads their
 * system calls, sleeps, waits for a CPU and points; arrows for wake-ups. */
#ifndef STAGING_RECORDING_DRAW_H
#define STAGING_RECORDING_DRAW_H

#include "recording.h"
#include "timeline/timeline.h"

/* Returns the number of events. FIRST and LAST: the times of the first and the last one. */
uint64_t recording_draw(struct recording *r, struct timeline *t, uint64_t *first, uint64_t *last);

#endif
