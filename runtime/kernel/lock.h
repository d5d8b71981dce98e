/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of the script's globals; tap_lock and tap_unlock are in tap_script.h. */
#ifndef TAP_LOCK_H
#define TAP_LOCK_H

int tap_locks_start(void);
void tap_locks_stop(void);

#endif
