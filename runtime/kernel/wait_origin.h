/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which interrupt wakes up a thread: the kernel's events tell what the interrupts of this CPU are at. */
#ifndef TAP_WAIT_ORIGIN_H
#define TAP_WAIT_ORIGIN_H

#include <linux/types.h>

/* Whether the current thread is the waker: also in a softirq that delivers what it sent to this machine. With
 * interrupts off, as the next one. */
bool tap_wait_origin_is_thread(void);
/* The chain of the interrupt that this CPU handles, or of the idle CPU. */
u32 tap_wait_origin(void);

int tap_wait_origin_start(void);
/* May be called again, and without a start. */
void tap_wait_origin_stop(void);

#endif
