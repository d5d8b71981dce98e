/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ending the session. */
#ifndef TAP_END_H
#define TAP_END_H

#include "session.h"

/* exit() and the like: no further handler starts (but begin's own continue), and the daemon is
 * notified. From any context. */
void tap_session_end(bool failed);

#endif
