/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The locks of globals: which globals need one, which share one, and which locks what a handler does needs. */
#ifndef TAPC_PLAN_LOCKS_H
#define TAPC_PLAN_LOCKS_H

#include "plan.h"

/* Sets the lock of each global that handlers which can run at the same time write: ALL are the effects of the handlers,
 * ASKED those of their conditions. Needs the storage of the globals. */
void plan_assign_locks(struct plan *p, const struct effects *all, const struct effects *asked);
/* Adds the locks that E needs. */
void plan_add_locks(const struct plan *p, lock_list *locks, const struct effects *e);
/* Do the effects E include a global that needs a lock? */
bool plan_needs_lock(const struct plan *p, const struct effects *e);

#endif
