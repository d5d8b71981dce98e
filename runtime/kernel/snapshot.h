/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves the history of all CPUs, or its last seconds, while recording goes on: the file `recorder` (tap_recorder.h). */
#ifndef TAP_KERNEL_SNAPSHOT_H
#define TAP_KERNEL_SNAPSHOT_H

#include "session.h"

int tap_snapshot_publish(void);		/* makes the file */
void tap_snapshot_close(void);		/* when it is removed */
/* From any handler, while there is a history: the last NS until now, 0: everything, are to be saved. False: another
 * snapshot is waiting or being read. */
bool tap_snapshot_request(s64 ns);

#endif
