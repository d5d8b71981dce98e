// SPDX-License-Identifier: GPL-2.0-or-later
/* What ends the session, from any context: no handler starts any more, and the reader of control, which sends
 * TAP_STOP, is notified. */
#include "end.h"

#include "rows.h"

void tap_session_end(bool failed)
{
	if (failed)
		WRITE_ONCE(tap_session.failed, true);
	if (xchg(&tap_session.exiting, 1))
		return;
	tap_rows_disarm_at_once();
	tap_session_wake();
}
