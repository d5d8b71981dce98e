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

bool tap_lock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region)
{
	(void)c, (void)region;
	if (held)
		broken("the handler at %s takes locks twice", frame.row->probe->position);
	for (u32 i = 0; i < n; i++)
		if (i && need[i].lock <= need[i - 1].lock)
			broken("the handler at %s takes locks out of order", frame.row->probe->position);
	held = need;
	held_count = n;
	return true;
}

void tap_unlock(struct tap_context *c, const struct tap_lock_need *need, u32 n, enum tap_region region)
{
	(void)c, (void)region;
	if (held != need || held_count != n)
		broken("the handler at %s gives back locks that it has not taken",
		       frame.row->probe->position);
	held = NULL;
}

/* One lock: held until the same one is given back in the same way. */
static struct tap_lock_need only;

static bool take_one(struct tap_context *c, struct tap_lock *lock, bool write)
{
	if (!held)
		only = (struct tap_lock_need){ lock, write };
	return tap_lock(c, &only, 1, TAP_REGION_BRIEF);
}

static void give_one(struct tap_context *c, struct tap_lock *lock, bool write)
{
	const struct tap_lock_need need = { lock, write };

	tap_unlock(c, only.lock == lock && only.write == write ? &only : &need, 1, TAP_REGION_BRIEF);
}

bool tap_lock_write(struct tap_context *c, struct tap_lock *lock)
{
	return take_one(c, lock, true);
}

void tap_unlock_write(struct tap_context *c, struct tap_lock *lock)
{
	give_one(c, lock, true);
}

bool tap_lock_read(struct tap_context *c, struct tap_lock *lock)
{
	return take_one(c, lock, false);
}

void tap_unlock_read(struct tap_context *c, struct tap_lock *lock)
{
	give_one(c, lock, false);
}
