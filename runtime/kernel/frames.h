/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames and rings of all CPUs. */
#ifndef TAP_FRAMES_H
#define TAP_FRAMES_H

#include "session.h"

void tap_frames_open(void);	/* at load */
int tap_frames_start(void);	/* frames and rings of all CPUs, including those that go online later */
void tap_frames_settle(void);	/* no further CPU gets a file; called before the files are removed */
void tap_frames_stop(void);
char *tap_cells(u32 i);		/* of the i-th CPU and level; NULL after the last */

#endif
