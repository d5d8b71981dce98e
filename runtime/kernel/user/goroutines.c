// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of calls in progress. A call is in a window that begins at its hash. A slot belongs to the thread that has
 * changed its state to IN_USE, so no lock is needed. Calls that a panic leaves never return: they are forgotten when
 * the same place of the stack is used again, or when their slot is needed. */
#include "goroutines.h"

#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "compat.h"
#include "context.h"
#include "probe.h"

enum {
	BYTES = 4 << 20,		/* most for a table */
	MOST_BITS = 15, LEAST_BITS = 8,
	WINDOW = 16,
};

enum { FREE, KEPT, IN_USE };

struct slot {
	u32 state;
	u32 since;			/* jiffies */
	struct tap_call call;
	u64 data[];
};

struct tap_calls {
	u32 size;			/* of a slot */
	u32 bits;
	char slots[] __aligned(8);
};

/* ---- goroutines ---- */

static bool goroutines_read(unsigned long at, unsigned long *value, u64 *absent)
{
	if (!copy_from_user_nofault(value, (void __user *)at, sizeof(*value)))
		return true;
	*absent = at;
	return false;
}

unsigned long tap_goroutine(const struct tap_process *what, const struct tap_user_site *site, struct pt_regs *regs,
			    u64 *absent)
{
	unsigned long at = 0;

	*absent = 0;
	switch (site->goroutine) {
	case TAP_GOROUTINE_IN_REGISTER:
		return tap_goroutine_register(regs);
	case TAP_GOROUTINE_IN_STORAGE:
		if (!goroutines_read(tap_thread_pointer() + what->go->storage, &at, absent))
			return 0;
	}
	return at;
}

bool tap_call_describe(struct tap_call *call, const struct tap_process *what, const struct tap_user_site *site,
		       struct pt_regs *regs, u64 *absent)
{
	enum { STACK_END = 8 };		/* struct g begins with stack.lo and stack.hi: runtime2.go */
	unsigned long goroutine = tap_goroutine(what, site, regs, absent), end;

	if (!goroutine || !goroutines_read(goroutine + STACK_END, &end, absent))
		return false;
	*call = (struct tap_call){ .function = site->address, .goroutine = goroutine,
				   .depth = end - user_stack_pointer(regs), .process = current->mm };
	return true;
}

/* ---- the table ---- */

static size_t goroutines_bytes(u32 size, u32 bits)
{
	return sizeof(struct tap_calls) + (size_t)size * ((1u << bits) + WINDOW);
}

struct tap_calls *tap_calls_new(u32 size)
{
	struct tap_calls *calls;
	u32 bits = MOST_BITS;

	size = ALIGN(sizeof(struct slot) + size, 8);
	while (bits > LEAST_BITS && goroutines_bytes(size, bits) > BYTES)
		bits--;
	calls = tap_zalloc(goroutines_bytes(size, bits), NUMA_NO_NODE);
	if (!calls)
		return NULL;
	calls->size = size;
	calls->bits = bits;
	return calls;
}

void tap_calls_free(struct tap_calls *calls)
{
	if (calls)
		tap_zfree(calls, goroutines_bytes(calls->size, calls->bits));
}

static u32 goroutines_hash(const struct tap_calls *calls, const struct tap_call *c)
{
	return hash_64((u64)c->goroutine + (c->depth << 1) + ((u64)(unsigned long)c->process << 7) + c->function,
		       calls->bits);
}

static struct slot *goroutines_slot(struct tap_calls *calls, u32 i)
{
	return (struct slot *)(calls->slots + (size_t)i * calls->size);
}

#define for_each_slot(slot, calls, call) \
	for (u32 i_ = goroutines_hash(calls, call), end_ = i_ + WINDOW; i_ < end_; i_++) \
		for (struct slot *slot = goroutines_slot(calls, i_); slot; slot = NULL)

static bool goroutines_seize(struct slot *s, u32 state)
{
	return READ_ONCE(s->state) == state && cmpxchg(&s->state, state, IN_USE) == state;
}

static bool goroutines_is_of(const struct slot *s, const struct tap_call *c)
{
	return READ_ONCE(s->call.goroutine) == c->goroutine && READ_ONCE(s->call.depth) == c->depth &&
	       READ_ONCE(s->call.function) == c->function && READ_ONCE(s->call.process) == c->process;
}

/* The caller's goroutine runs nowhere else, so only another one can have changed the slot in between: to make room. */
static struct slot *goroutines_find(struct tap_calls *calls, const struct tap_call *call)
{
	for_each_slot(slot, calls, call) {
		if (!goroutines_is_of(slot, call) || !goroutines_seize(slot, KEPT))
			continue;
		if (goroutines_is_of(slot, call))
			return slot;
		smp_store_release(&slot->state, KEPT);
	}
	return NULL;
}

static struct slot *goroutines_find_free(struct tap_calls *calls, const struct tap_call *call)
{
	for_each_slot(slot, calls, call)
		if (goroutines_seize(slot, FREE))
			return slot;
	return NULL;
}

static struct slot *goroutines_make_free(struct tap_calls *calls, const struct tap_call *call)
{
	struct slot *oldest = NULL;

	for_each_slot(slot, calls, call)
		if (READ_ONCE(slot->state) == KEPT && (!oldest || (s32)(slot->since - oldest->since) < 0))
			oldest = slot;
	return oldest && goroutines_seize(oldest, KEPT) ? oldest : NULL;
}

void *tap_calls_add(struct tap_calls *calls, const struct tap_call *call, bool *lost)
{
	struct slot *slot = goroutines_find(calls, call);

	*lost = false;
	if (!slot)
		slot = goroutines_find_free(calls, call);
	if (!slot) {
		slot = goroutines_make_free(calls, call);
		*lost = slot != NULL;
	}
	if (!slot)
		return NULL;
	slot->call = *call;
	slot->since = (u32)jiffies;
	return slot->data;
}

void *tap_calls_take(struct tap_calls *calls, const struct tap_call *call)
{
	struct slot *slot = goroutines_find(calls, call);

	return slot ? slot->data : NULL;
}

void tap_calls_keep(void *data)
{
	smp_store_release(&container_of(data, struct slot, data)->state, KEPT);
}

void tap_calls_drop(void *data)
{
	smp_store_release(&container_of(data, struct slot, data)->state, FREE);
}
