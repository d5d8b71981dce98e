/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A history of what happens on each CPU, in memory that is allocated once; tap_recorder.h describes it. */
#ifndef TAP_KERNEL_RECORDER_H
#define TAP_KERNEL_RECORDER_H

#include "session.h"
#include "services.h"

/* Records the events WHAT, a list of words, "": all, in MEGABYTES of memory of all CPUs that are online; one that goes
 * online later gets as much as each of these. For a probe of begin, once; otherwise, or if it cannot, an error of the
 * script. */
void tap_recorder_start(struct tap_context *c, s64 megabytes, struct tap_string what);
/* From any handler: an event of the script's. */
void tap_recorder_add(struct tap_string name, s64 value);
/* The last NS until now, 0: everything, are to be saved. False: another snapshot is waiting or being read. */
bool tap_recorder_snapshot(s64 ns);

#endif
