/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of the script's globals. There is nothing to lock out, so this only checks that the
 * generated code takes and releases them correctly: in order, once, and all of them. */
#include "simulate.h"
#include "core/host.h"

static const struct tap_lock_need *held;
static u32 held_count;

void locks_check(void)
{
	if (held)
		broken("the handler at %s ended with %u locks held", frame.row->probe->position, held_count);
}

bool tap_lock(struct tap_context *c, const struct tap_lock_need *need, u32 n, bool brief)
{
	(void)c, (void)brief;
	if (held)
		broken("the handler at %s takes locks twice", frame.row->probe->position);
	for (u32 i = 0; i < n; i++)
		if (need[i].lock >= tap_script.lock_count || (i && need[i].lock <= need[i - 1].lock))
			broken("the handler at %s takes locks out of order", frame.row->probe->position);
	held = need;
	held_count = n;
	return true;
}

void tap_unlock(struct tap_context *c, const struct tap_lock_need *need, u32 n, bool brief)
{
	(void)c, (void)brief;
	if (held != need || held_count != n)
		broken("the handler at %s gives back locks that it has not taken",
		       frame.row->probe->position);
	held = NULL;
}

bool tap_lock_one(struct tap_context *c, const struct tap_lock_need *need)
{
	return tap_lock(c, need, 1, true);
}

void tap_unlock_one(struct tap_context *c, const struct tap_lock_need *need)
{
	tap_unlock(c, need, 1, true);
}
