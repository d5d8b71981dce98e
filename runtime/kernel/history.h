/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens on each CPU: a ring of blocks (tap_recorder.h).
 *
 * Only a CPU's own handlers write to its ring, which nest like interrupts: a cmpxchg that is atomic on this CPU only
 * reserves room for an event and counts it. The time is taken before that; if a handler on top has written meanwhile,
 * the cmpxchg fails and the time is taken again. So the events of a CPU are in the order of time.
 *
 * Blocks are cleared before they are used again, and an event's first word is written last: a reader sees 0 or a whole
 * event. Its copy of a block is valid if the block had its number before, and its ring had not come around to it after.
 * So a reader takes no lock and stops nothing. */
#ifndef TAP_KERNEL_HISTORY_H
#define TAP_KERNEL_HISTORY_H

#include <linux/percpu.h>

#include "session.h"
#include "clock.h"
#include "tap_recorder.h"

struct tap_history {
	u64 head;			/* events << 32 | offset of the next one in data, in bytes */
	u8 *data;			/* NULL: this CPU has not been online since the start */
	u32 size;
	bool turning;			/* the next block is being prepared */
	u64 newest;			/* number of the block that was begun last */
	u64 events;			/* before it */
};
DECLARE_PER_CPU(struct tap_history, tap_histories);

/* For CPUs that are online, each an equal part of BYTES; one that goes online later gets as much as each of these.
 * -ERANGE: that is too little or too much for a CPU. */
int tap_history_allocate(u64 bytes);
void tap_history_free(void);		/* also after an error */
/* Events since the start: recorded; not recorded because an NMI came at the wrong time, or the CPU has no memory. */
s64 tap_history_events(void);
s64 tap_history_missed(void);

/* ---- reading ---- */

static inline struct tap_recorder_block *tap_history_block(const struct tap_history *h, u64 number)
{
	return (void *)(h->data + (number - 1) % (h->size / TAP_RECORDER_BLOCK) * TAP_RECORDER_BLOCK);
}

/* Was block NUMBER, or a copy of it made just before, not overwritten yet? */
bool tap_history_keeps(const struct tap_history *h, u64 number);
/* The oldest block that is kept, and the events before it. */
u64 tap_history_oldest(const struct tap_history *h, u64 *events);

/* ---- writing, with preemption off ---- */

/* The block has no room, or is too old for the event's time. */
void tap_history_write_otherwise(u32 kind, u32 argument, const u64 *more);

static __always_inline u64 tap_history_begun(const struct tap_history *h, u32 at)
{
	return ((const struct tap_recorder_block *)(h->data + (at & -TAP_RECORDER_BLOCK)))->begun;
}

/* The last word of a block is never used, so that head stays in it. */
static __always_inline bool tap_history_has_room(u32 at, u32 size)
{
	return at % TAP_RECORDER_BLOCK + size < TAP_RECORDER_BLOCK;
}

static __always_inline bool tap_history_reserve(struct tap_history *h, u64 head, u32 size)
{
	return cmpxchg_local(&h->head, head, head + (1ull << 32) + size) == head;
}

static __always_inline void tap_history_put(u64 *to, u32 words, u64 word, const u64 *more)
{
	for (u32 i = 1; i < words; i++)
		to[i] = more[i - 1];
	smp_store_release(to, word);
}

/* An event of this many WORDS. What is usual needs no call, so few registers are saved. */
static __always_inline void tap_history_write_words(u32 words, u32 kind, u32 argument, const u64 *more)
{
	struct tap_history *h = this_cpu_ptr(&tap_histories);
	u64 rate = READ_ONCE(tap_clock_base.rate), head = READ_ONCE(h->head), since;
	u32 at = (u32)head, size = words * sizeof(u64);

	if (likely(rate && tap_history_has_room(at, size))) {
		since = tap_clock_counted(tap_cycles_ordered(), rate) - tap_history_begun(h, at);
		if (likely(!(since >> 32) && tap_history_reserve(h, head, size))) {
			tap_history_put((u64 *)(h->data + at), words, tap_recorded_word(since, kind, argument),
					   more);
			return;
		}
	}
	tap_history_write_otherwise(kind, argument, more);
}

static __always_inline void tap_history_write(u32 kind, u32 argument)
{
	tap_history_write_words(1, kind, argument, NULL);
}

#endif
