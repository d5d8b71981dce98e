// SPDX-License-Identifier: GPL-2.0-or-later
/* Arms and disarms rows.
 *
 * A row is armed while the session runs, it is not switched off and its condition holds: then
 * 'run' is its handler. Only this decides; the family's arm and disarm follow, if they have
 * something to do (timers), later and in process context. A work item re-evaluates a condition
 * after a handler has changed a global that it reads. */
#include "arming.h"

#include <linux/workqueue.h>

#include "context.h"
#include "probe.h"
#include "scope.h"

/* If it cannot be evaluated now, the state remains and it is evaluated again later. */
static bool arming_is_condition_true(struct tap_row *row)
{
	struct tap_frame *f;
	bool holds, decided;

	if (!row->probe->condition)
		return true;
	f = tap_frame_take(row);
	holds = f && row->probe->condition(&f->c);
	decided = f && !f->undecided;
	if (f)
		tap_frame_give(f);
	if (decided)
		return holds;
	schedule_delayed_work(&tap_rows_due, 1);
	return row->active;
}

/* Timers and files of the script are no events of tasks. */
static void (*arming_handler(struct tap_row *row))(struct tap_context *c)
{
	const struct tap_probe_ops *ops = row->probe->ops;

	if (!tap_scope_is_given() || (ops->is_of_session && ops->is_of_session(row)))
		return row->probe->handler;
	if (!row->wants)
		WRITE_ONCE(row->wants, tap_scope_has_current);
	return tap_scope_run;
}

static void arming_update_row(struct tap_row *row)
{
	const struct tap_probe_ops *ops = row->probe->ops;
	bool on = tap_session.state == TAP_RUNNING && !tap_session.exiting && !row->off && !row->shed &&
		  arming_is_condition_true(row);

	if (on == row->active)
		return;
	row->active = on;
	WRITE_ONCE(row->run, on ? arming_handler(row) : NULL);
	if (on && ops->arm)
		ops->arm(row);
	if (!on && ops->disarm)
		ops->disarm(row);
}

void tap_rows_update(void)
{
	for_each_row(row)
		arming_update_row(row);
	/* an exit() in between has cleared the handlers before some were set */
	smp_mb();
	if (READ_ONCE(tap_session.exiting))
		tap_rows_disarm_at_once();
}

int tap_rows_switch(u32 number, bool on)
{
	int err = -ENOENT;

	for_each_row(row) {
		if (row->probe->number != number)
			continue;
		row->off = !on;
		row->shed &= !on;
		err = 0;
		arming_update_row(row);
	}
	return err;
}

void tap_rows_stop(void)
{
	tap_rows_disarm_at_once();
	tap_rows_forget_changes();	/* may wait for the update, because that only tries to take the session's
					 * lock, which we hold */
	tap_rows_update();
}

static void arming_work(struct work_struct *work)
{
	if (READ_ONCE(tap_session.state) != TAP_RUNNING)
		return;
	if (!mutex_trylock(&tap_session.lock)) {
		schedule_delayed_work(&tap_rows_due, 1);
		return;
	}
	tap_rows_update();
	mutex_unlock(&tap_session.lock);
}

void tap_conditions_changed(struct tap_context *c)
{
	if (READ_ONCE(tap_session.state) == TAP_RUNNING)
		tap_rows_changed();
}

void tap_arming_open(void)
{
	INIT_DELAYED_WORK(&tap_rows_due, arming_work);
}
