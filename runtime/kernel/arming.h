/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arming and disarming rows. */
#ifndef TAP_ARMING_H
#define TAP_ARMING_H

#include "rows.h"

void tap_arming_open(void);		/* at load, before tap_rows_open */

/* All of these are called with the session's lock held: */
void tap_rows_update(void);		/* arms and disarms according to state, commands and conditions */
int tap_rows_switch(u32 number, bool on);	/* all rows of one of the script's probes */
void tap_rows_stop(void);		/* disarms all; no update will follow */

#endif
