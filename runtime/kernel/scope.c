// SPDX-License-Identifier: GPL-2.0-or-later
/* --cgroup: a cgroup is known by the number of its directory, which no other one will have, so the session does not
 * hold it: after it was removed no task is in it. Each cgroup has a table of its ancestors by level. The level of ours
 * is found with the first task that is in it. */
#include "scope.h"

#include "compat.h"
#include "context.h"
#include "probe.h"

#ifdef TAP_CGROUPS

enum { MOST_LEVELS = 64 };	/* the loader refuses deeper ones */

static int scope_level = -1;	/* -1: not known yet */

bool tap_scope_is_supported(void)
{
	return true;
}

static bool scope_has(const struct cgroup *cgroup, int level, u64 id)
{
	return level <= cgroup->level && tap_cgroup_ancestor_id(cgroup, level) == id;
}

bool tap_scope_has_current(void)
{
	const struct cgroup *own = tap_task_cgroup(current);
	u64 id = tap_session.configuration.cgroup;
	int level = READ_ONCE(scope_level);

	if (level >= 0)
		return scope_has(own, level, id);
	for (level = 0; level < MOST_LEVELS && level <= own->level; level++) {
		if (!scope_has(own, level, id))
			continue;
		WRITE_ONCE(scope_level, level);
		return true;
	}
	return false;
}

#else

bool tap_scope_is_supported(void)
{
	return false;
}

bool tap_scope_has_current(void)
{
	return false;
}

#endif

void tap_scope_run(struct tap_context *c)
{
	struct tap_frame *f = tap_frame(c);

	if (tap_scope_has_current()) {
		f->row->probe->handler(c);
		return;
	}
	this_cpu_dec(f->row->count->hits);
	if (tap_session.timing)
		f->row = NULL;		/* this time is not a handler's */
}
