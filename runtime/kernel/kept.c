// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of calls in progress. The calls of a task are in a window that begins at its hash, so they are found and
 * removed by searching only there. A slot is taken by writing the task into it, and from then on only that task
 * accesses it: no lock is needed. */
#include "kept.h"

#include "tap_room.h"

#include <linux/hash.h>

struct slot {
	struct task_struct *task;	/* NULL: free */
	const void *place;
	unsigned long stack;
	u64 data[];
};
static_assert(sizeof(struct slot) == TAP_KEPT_SLOT_BYTES);

struct tap_kept {
	u32 size;			/* of a slot */
	char slots[] __aligned(8);
};

struct tap_kept *tap_kept_new(u32 size)
{
	struct tap_kept *kept = tap_zalloc(tap_kept_bytes(size), NUMA_NO_NODE);

	if (kept)
		kept->size = ALIGN(sizeof(struct slot) + size, 8);
	return kept;
}

void tap_kept_free(struct tap_kept *kept)
{
	if (kept)
		tap_zfree(kept, tap_kept_bytes(kept->size - sizeof(struct slot)));
}

static struct slot *kept_slot_at(struct tap_kept *kept, u32 i)
{
	return (struct slot *)(kept->slots + (size_t)i * kept->size);
}

#define for_each_slot(slot, kept) \
	for (u32 i_ = hash_ptr(current, TAP_KEPT_BITS), end_ = i_ + TAP_KEPT_WINDOW; i_ < end_; i_++) \
		for (struct slot *slot = kept_slot_at(kept, i_); slot; slot = NULL)

/* A free slot, or before it one of the call INSTEAD with the stack pointer STACK. */
static struct slot *kept_take(struct tap_kept *kept, const void *instead, unsigned long stack)
{
	for_each_slot(slot, kept) {
		const struct task_struct *task = READ_ONCE(slot->task);

		if (!task && !cmpxchg(&slot->task, NULL, current))
			return slot;
		if (instead && task == current && slot->place == instead && slot->stack == stack)
			return slot;
	}
	return NULL;
}

/* Calls that were left by longjmp or an exception are deeper in the stack than the task is now. */
static void kept_drop_abandoned(struct tap_kept *kept, unsigned long stack)
{
	for_each_slot(slot, kept)
		if (READ_ONCE(slot->task) == current && slot->stack < stack)
			smp_store_release(&slot->task, NULL);
}

/* The innermost call: abandoned calls are deeper, its callers are not. Of several with one stack pointer the first,
 * because kept_take() leaves none before that which it takes. */
static struct slot *kept_find(struct tap_kept *kept, const void *place, unsigned long stack, unsigned long slack)
{
	struct slot *found = NULL;

	for_each_slot(slot, kept)
		if (READ_ONCE(slot->task) == current && slot->place == place && stack - slot->stack <= slack &&
		    (!found || slot->stack > found->stack))
			found = slot;
	return found;
}

static void *kept_add(struct tap_kept *kept, const void *place, const void *instead, unsigned long stack)
{
	struct slot *slot = kept_take(kept, instead, stack);

	if (!slot) {
		kept_drop_abandoned(kept, stack);
		slot = kept_take(kept, instead, stack);
	}
	if (!slot)
		return NULL;
	slot->place = place;
	slot->stack = stack;
	return slot->data;
}

void *tap_kept_add(struct tap_kept *kept, const void *place, unsigned long stack)
{
	return kept_add(kept, place, NULL, stack);
}

void *tap_kept_renew(struct tap_kept *kept, const void *place, unsigned long stack)
{
	return kept_add(kept, place, place, stack);
}

void *tap_kept_find(struct tap_kept *kept, const void *place, unsigned long stack, unsigned long slack)
{
	struct slot *slot = kept_find(kept, place, stack, slack);

	return slot ? slot->data : NULL;
}

void tap_kept_drop(void *data)
{
	smp_store_release(&container_of(data, struct slot, data)->task, NULL);
}

void tap_kept_forget(struct tap_kept *kept)
{
	for_each_slot(slot, kept)
		if (READ_ONCE(slot->task) == current)
			smp_store_release(&slot->task, NULL);
}
