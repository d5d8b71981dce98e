/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flow of a session: started and stopped. */
#ifndef TAP_FLOW_H
#define TAP_FLOW_H

#include "session.h"

/* Called with the session's lock held. */
int tap_session_start(void);
void tap_session_stop(bool run_end);

void tap_flow_settle(void);		/* before unloading: its time limit no longer runs */

#endif
