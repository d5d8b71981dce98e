// SPDX-License-Identifier: GPL-2.0-or-later
/* See history.h. */
#include "history.h"

#include <linux/cpuhotplug.h>
#include <linux/irqflags.h>

#include "core/string.h"
#include "message.h"

enum {
	HEAD = sizeof(struct tap_recorder_block),
	NO_ROOM = TAP_RECORDER_BLOCK - 1,	/* offset without memory */
	LEAST_BLOCKS = 4,		/* of a CPU */
};

DEFINE_PER_CPU(struct tap_history, tap_histories) = { .head = NO_ROOM };
static atomic64_t missed;

/* ---- writing ---- */

/* An NMI on top may add events to the block before until head refers to the new one. */
static void history_begin_block(struct tap_history *h)
{
	u64 number = h->newest + 1, head, next;
	struct tap_recorder_block *b = tap_history_block(h, number);

	WRITE_ONCE(h->newest, number);
	smp_wmb();		/* pairs with tap_history_keeps */
	memset(b, 0, TAP_RECORDER_BLOCK);
	b->begun = tap_clock();
	b->thread = current->pid;
	do {
		head = READ_ONCE(h->head);
		b->events = h->events + (u32)((head >> 32) - h->events);
		next = head >> 32 << 32 | ((u8 *)b - h->data + HEAD);
	} while (cmpxchg_local(&h->head, head, next) != head);
	h->events = b->events;
	smp_store_release(&b->number, number);
}

/* The block has no room, or is too old for the event's time. False: an NMI came while that was done. */
static noinline bool history_turn(struct tap_history *h, u64 seen)
{
	unsigned long flags;
	bool good;

	raw_local_irq_save(flags);
	good = h->data && !h->turning;
	if (good) {
		h->turning = true;
		barrier();
		if (READ_ONCE(h->head) == seen)
			history_begin_block(h);
		barrier();
		h->turning = false;
	}
	raw_local_irq_restore(flags);
	if (!good)
		atomic64_inc(&missed);
	return good;
}

void tap_history_write_otherwise(u32 kind, u32 argument, const u64 *more)
{
	struct tap_history *h = this_cpu_ptr(&tap_histories);
	u32 words = tap_recorded_words(kind), size = words * sizeof(u64), at;
	u64 head, since;

	for (;;) {
		head = READ_ONCE(h->head);
		at = (u32)head;
		since = tap_history_has_room(at, size) ? tap_clock() - tap_history_begun(h, at) : U64_MAX;
		if (since >> 32) {
			if (!history_turn(h, head))
				return;
		} else if (tap_history_reserve(h, head, size)) {
			break;
		}
	}
	tap_history_put((u64 *)(h->data + at), words, tap_recorded_word(since, kind, argument), more);
}

/* ---- reading ---- */

bool tap_history_keeps(const struct tap_history *h, u64 number)
{
	smp_rmb();		/* pairs with history_begin_block */
	return READ_ONCE(h->newest) - number < h->size / TAP_RECORDER_BLOCK;
}

u64 tap_history_oldest(const struct tap_history *h, u64 *events)
{
	for (;;) {
		u64 newest = READ_ONCE(h->newest), blocks = h->size / TAP_RECORDER_BLOCK;
		u64 number = newest > blocks ? newest - blocks + 1 : 1;

		*events = READ_ONCE(tap_history_block(h, number)->events);
		if (number >= newest || tap_history_keeps(h, number))
			return number;
		cond_resched();
	}
}

s64 tap_history_events(void)
{
	u64 events = 0;
	u32 i;

	for_each_possible_cpu(i) {
		const struct tap_history *h = per_cpu_ptr(&tap_histories, i);
		u64 before = READ_ONCE(h->events);

		events += before + (u32)((READ_ONCE(h->head) >> 32) - before);
	}
	return events;
}

s64 tap_history_missed(void)
{
	return atomic64_read(&missed);
}

/* ---- memory ---- */

static u32 cpu_size;
static int cpus_state;

static int history_allocate_cpu(u32 number)
{
	struct tap_history *h = per_cpu_ptr(&tap_histories, number);
	u8 *data = h->data ?: tap_zalloc(cpu_size, cpu_to_node(number));

	if (!data)
		return -ENOMEM;
	h->size = cpu_size;
	smp_store_release(&h->data, data);
	return 0;
}

/* Before it runs. Without memory its events are missed, but it goes online. */
static int history_cpu_comes(unsigned int cpu)
{
	if (history_allocate_cpu(cpu))
		tap_message(TAP_ITEM_WARNING, "no memory for the recorder on processor %u: its events are missed", cpu);
	return 0;
}

static void history_forget_cpus(void)
{
	if (cpus_state > 0)
		cpuhp_remove_state_nocalls(cpus_state);
	cpus_state = 0;
}

void tap_history_free(void)
{
	u32 i;

	history_forget_cpus();
	for_each_possible_cpu(i) {
		struct tap_history *h = per_cpu_ptr(&tap_histories, i);

		tap_zfree(h->data, h->size);
		*h = (struct tap_history){ .head = NO_ROOM };
	}
}

/* CPUs that are online have equal parts; one that goes online later gets another such part. The kernel has few states
 * of this kind: see frames_expect_cpus(). */
static int history_allocate_cpus(u64 bytes)
{
	u64 size = div64_u64(bytes, num_online_cpus()) & -TAP_RECORDER_BLOCK;
	int err = 0;
	u32 i;

	if (size < LEAST_BLOCKS * TAP_RECORDER_BLOCK || size > S32_MAX)
		return -ERANGE;
	cpu_size = size;
	if (num_online_cpus() < num_possible_cpus())
		cpus_state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "tap:recorder",
								  history_cpu_comes, NULL);
	if (cpus_state < 0)
		return cpus_state;
	for_each_online_cpu(i)
		if (!err)
			err = history_allocate_cpu(i);
	return err;
}

int tap_history_allocate(u64 bytes)
{
	int err;

	cpus_read_lock();
	err = history_allocate_cpus(bytes);
	cpus_read_unlock();
	return err;
}
