// SPDX-License-Identifier: GPL-2.0-or-later
/* begin, end and error probes: nothing to attach. Each runs once, in the process that writes the command, in the
 * order of priority; rows of equal priority in the order of the script. After exit() or an error, the remaining
 * begin probes are skipped; if the session has failed, error probes run instead of end probes. One that is switched
 * off does not run. */
#include "probe.h"

static const struct tap_begin *begin_of(const struct tap_row *row)
{
	return row->probe->where;
}

/* The row of KIND that follows PREVIOUS in order of priority, or NULL. */
static struct tap_row *begin_next(struct tap_row *rows, u32 count, int kind, struct tap_row *previous)
{
	struct tap_row *best = NULL;

	for (struct tap_row *row = rows; row < rows + count; row++) {
		s64 priority = begin_of(row)->priority;

		if ((int)begin_of(row)->kind != kind)
			continue;
		if (previous && (priority < begin_of(previous)->priority ||
				 (priority == begin_of(previous)->priority && row <= previous)))
			continue;
		if (!best || priority < begin_of(best)->priority)
			best = row;
	}
	return best;
}

static void begin_run(struct tap_row *rows, u32 count, int kind)
{
	struct tap_row *row = NULL;

	while ((row = begin_next(rows, count, kind, row))) {
		if (kind == TAP_BEGIN && READ_ONCE(tap_session.exiting))
			return;
		if (!row->off)
			tap_hit_unhurried(row);
		cond_resched();
	}
}

static void begin_begin(struct tap_row *rows, u32 count)
{
	begin_run(rows, count, TAP_BEGIN);
}

static void begin_end(struct tap_row *rows, u32 count, bool failed)
{
	begin_run(rows, count, failed ? TAP_ERROR_PROBE : TAP_END);
}

static int begin_start(struct tap_row *rows, u32 count)
{
	return 0;
}

static void begin_stop(struct tap_row *rows, u32 count)
{
}

const struct tap_probe_ops tap_begin = {
	.name = "begin", .start = begin_start, .stop = begin_stop, .begin = begin_begin, .end = begin_end,
};
