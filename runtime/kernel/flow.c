// SPDX-License-Identifier: GPL-2.0-or-later
/* The flow of a session.
 *
 * TAP_START creates what handlers need, attaches all probes disarmed, runs the begin probes, and arms. TAP_STOP, or the
 * daemon's death, disarms, detaches and runs the end probes; then the output can be read, and the module unloaded. */
#include "flow.h"

#include <linux/module.h>

#include "arming.h"
#include "clock.h"
#include "end.h"
#include "families.h"
#include "frames.h"
#include "maps.h"
#include "message.h"
#include "services.h"
#include "symbol.h"
#include "transport.h"

static void flow_change_state(enum tap_state state)
{
	WRITE_ONCE(tap_session.state, state);
	tap_session_wake();
	tap_rings_wake();
}

static void flow_time_over(struct work_struct *work)
{
	mutex_lock(&tap_session.lock);
	if (tap_session.state == TAP_RUNNING) {
		tap_message(TAP_ITEM_WARNING, "the session's time limit, %u s, has expired",
			    tap_session.owner.seconds);
		tap_session_stop(true);
	}
	mutex_unlock(&tap_session.lock);
}

static DECLARE_DELAYED_WORK(limit, flow_time_over);

int tap_session_start(void)
{
	int err;

	tap_session.timing = tap_session.configuration.flags & TAP_SESSION_TIMING;
	tap_session.started = tap_clock();
	flow_change_state(TAP_STARTING);
	__module_get(THIS_MODULE);	/* until it has stopped */
	err = tap_rows_start();
	if (err)
		goto failed;
	err = tap_frames_start();
	if (err)
		goto failed;
	err = tap_maps_start();
	if (err)
		goto failed;
	err = tap_services_start();
	if (err)
		goto failed;
	err = tap_symbols_start();
	if (err)
		goto failed;
	err = tap_families_start();
	if (err)
		goto detach;
	tap_families_begin();
	flow_change_state(TAP_RUNNING);
	tap_rows_update();
	if (tap_session.owner.seconds)
		schedule_delayed_work(&limit, (unsigned long)tap_session.owner.seconds * HZ);
	return 0;

detach:
	tap_families_stop();
	tap_symbols_stop();
failed:		/* the rings stay: they contain the error messages */
	flow_change_state(TAP_FAILED);
	module_put(THIS_MODULE);
	return err;
}

void tap_session_stop(bool with_end)
{
	bool running = tap_session.state != TAP_LOADED;

	flow_change_state(TAP_STOPPING);
	if (running) {
		tap_rows_stop();
		tap_services_stop();
		tap_families_stop();
		if (tap_session.skips_exceeded)
			tap_message(TAP_ITEM_ERROR, "too many skipped probes: more than MAXSKIPPED (%u)",
				    tap_script.limits.skipped);
		if (with_end)
			tap_families_end();
		tap_services_report();
		tap_symbols_stop();
		module_put(THIS_MODULE);
	}
	flow_change_state(TAP_DRAINING);
}

void tap_flow_settle(void)
{
	cancel_delayed_work_sync(&limit);
}
