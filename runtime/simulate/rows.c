/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the script's table of probes: which are armed, and a handler's queries about its own row. */
#include <string.h>

#include "simulate.h"
#include "core/host.h"

void rows_open(void)
{
	session.rows = tap_alloc(tap_script.probe_count * sizeof(*session.rows));
	for (u32 i = 0; i < tap_script.probe_count; i++)
		session.rows[i].probe = &tap_script.probes[i];
}

void rows_close(void)
{
	tap_free(session.rows);
}

void rows_update(void)
{
	session.conditions_changed = false;
	for_each_row(row, tap_timer) {
		bool on = !session.exiting && (!row->probe->condition || frame_condition(row));

		if (on && !row->armed)
			timers_arm(row);
		row->armed = on;
	}
}

void tap_conditions_changed(struct tap_context *c)
{
	(void)c;
	session.conditions_changed = true;
}

struct tap_string tap_ppfunc(struct tap_context *c)
{
	(void)c;
	return TAP_EMPTY;
}

struct tap_string tap_pn(struct tap_context *c)
{
	const char *alias = frame.row->probe->alias;

	return alias ? (struct tap_string){ alias, (u32)strlen(alias) } : tap_pp(c);
}

struct tap_string tap_pp(struct tap_context *c)
{
	const char *point = frame.row->probe->point;

	(void)c;
	return (struct tap_string){ point, (u32)strlen(point) };
}
