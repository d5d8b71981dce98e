/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's events that change the records of threads (wait_thread.h). */
#ifndef TAP_WAIT_EVENTS_H
#define TAP_WAIT_EVENTS_H

int tap_wait_events_start(void);
/* May be called again, and without a start. */
void tap_wait_events_stop(void);

#endif
