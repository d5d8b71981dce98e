/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the current process that a handler could not read, because it is not present: it is fetched after the
 * handler was abandoned, and the handler runs again. */
#ifndef TAP_FETCH_H
#define TAP_FETCH_H

#include "session.h"
#include "rows.h"

enum { TAP_FETCH_FAILURES = 8 };

/* What one hit has fetched. */
struct tap_fetch {
	u64 from, size;			/* what could not be read */
	u64 last, last_size;		/* what was fetched most recently: if it cannot be read now, it never can */
	u32 rounds, failures;
	u64 failed[TAP_FETCH_FAILURES];	/* what could not be fetched */
	unsigned long until;		/* in jiffies */
	bool over;			/* nothing more is fetched for this hit */
};

static inline bool tap_fetch_may_help(const struct tap_fetch *f, u64 from, u64 size)
{
	if (from < PAGE_SIZE || from >= TASK_SIZE_MAX)	/* as a rule NULL, or no address at all */
		return false;
	if (f->over || (f->rounds && from == f->last && size == f->last_size))
		return false;
	for (u32 i = 0; i < f->failures; i++)
		if (f->failed[i] == from)
			return false;
	return true;
}

/* In a handler: SIZE bytes at FROM of the process's memory could not be read. If that can be fetched, the handler ends
 * with an error that it cannot catch. */
void tap_fetch_want(struct tap_context *c, u64 from, u64 size);

/* Fetches what F wants, in a task that may sleep. ROW: of the hit; the end of the wait, when it is disarmed. */
void tap_fetch(struct tap_fetch *f, const struct tap_row *row);

#endif
