/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The locks for which threads wait, from the kernel's events of contention, and who holds them. Older kernels have no
 * such events: then no lock has an owner. */
#ifndef TAP_WAIT_LOCK_H
#define TAP_WAIT_LOCK_H

#include "wait_thread.h"

/* The holder of the lock for which T waits; NULL: none, or not known. The lock may be gone by now. */
struct tap_wait_thread *tap_wait_lock_owner(const struct tap_wait_thread *t);

int tap_wait_lock_start(void);
/* May be called again, and without a start. */
void tap_wait_lock_stop(void);

#endif
