/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one thread did, without a gap: pieces of time, each with a chain (chains.h). The last pieces are kept exactly.
 * The time of each chain is added up, and these sums are kept at some moments of the past: so what an older period
 * consists of is the difference of the sums at two moments. A chain has a slot in which its time is added up; if there
 * are more chains than slots, one that was not used for long gives its slot away, and its past becomes "others".
 *
 * One CPU at a time may use a history. If another one does, numbers may be wrong, nothing else: what leads to a place
 * in it is valid at any time, and is written once. */
#ifndef TAP_WAIT_HISTORY_H
#define TAP_WAIT_HISTORY_H

#include <linux/minmax.h>
#include <linux/types.h>

enum {
	TAP_WAIT_TURNS = 16,		/* a power of two */
	TAP_WAIT_SUMS = 12,		/* chains of a wait; fewer than TAP_WAIT_TURNS - 2 */
	TAP_WAIT_SLOTS = 14,
	TAP_WAIT_LEVELS = 5,		/* of marks, each level with twice the distance of the one before */
};

/* Times in ns by chain. One with fewer than all its places used may be copied or cleared as a whole. */
struct tap_wait_sums {
	u32 used;
	u32 chains[TAP_WAIT_SUMS];
	u64 ns[TAP_WAIT_SUMS];
};

/* Where the time of a chain is added up. */
struct tap_wait_slot {
	u64 ns;				/* of all chains that it has had */
	u64 longest;
	u32 count;
	u32 chain;
	u64 base;			/* ns, when the chain got the slot */
	u64 accounted;			/* ns for which the chain has been accounted */
	u64 since;			/* when the chain got the slot */
	u32 seen;			/* count, when the hand passed by */
};

/* Three pieces: it ran until it left the CPU, slept until it was woken up, and was runnable until it arrived on a CPU.
 * The last two may be missing: NULL. A piece of another kind is the first of a turn with no more. */
struct tap_wait_turn {
	u64 left, woken, arrived;
	struct tap_wait_slot *ran, *slept, *runnable;
};

/* The sums at one moment. */
struct tap_wait_mark {
	u64 end;			/* 0: none */
	u64 ns[TAP_WAIT_SLOTS];
};

struct tap_wait_history {
	u64 end;			/* of the last turn */
	u32 next;			/* where the next turn is, in bytes: of zeros, too, it leads to a turn */
	bool counts;			/* its time is accounted for */
	u32 used, hand;			/* slots; the next one that may be given away */
	u32 rounds;			/* how often all turns were used */
	u64 born;			/* when it begins */
	struct tap_wait_turn turns[TAP_WAIT_TURNS];
	struct tap_wait_slot slots[TAP_WAIT_SLOTS];
	struct tap_wait_mark marks[TAP_WAIT_LEVELS][2];
};

/* Where there is no room for another chain, those with the least time become "others". */
void tap_wait_sums_add(struct tap_wait_sums *s, u32 chain, u64 ns);

/* H is all zeros. */
void tap_wait_history_begin(struct tap_wait_history *h, u64 born);
/* The slot of a chain, which gets one. *LOST: another chain has lost its own; otherwise as before. */
struct tap_wait_slot *tap_wait_history_slot(struct tap_wait_history *h, u32 chain, bool *lost);
/* Accounts for all that was added since the last call. */
void tap_wait_history_account(struct tap_wait_history *h);
/* All turns are used. */
void tap_wait_history_mark(struct tap_wait_history *h);
/* Adds the times since BEGIN, the youngest first: of a period between two marks in which BEGIN lies, its share.
 * Returns the time for which nothing is known, as that was before the history begins. */
u64 tap_wait_history_collect(const struct tap_wait_history *h, u64 begin, struct tap_wait_sums *to);

/* The number of the next turn. */
static inline u32 tap_wait_history_next(const struct tap_wait_history *h)
{
	return READ_ONCE(h->next) / sizeof(*h->turns);
}

/* The turn before the last BACK ones, which must be fewer than TAP_WAIT_TURNS. */
static inline const struct tap_wait_turn *tap_wait_history_turn(const struct tap_wait_history *h, u32 back)
{
	return &h->turns[(tap_wait_history_next(h) - 1 - back) % TAP_WAIT_TURNS];
}

/* The chain of a piece of a turn, which ended at END. */
u32 tap_wait_slot_chain(const struct tap_wait_slot *s, u64 end);

static __always_inline void tap_wait_slot_add(struct tap_wait_slot *s, u64 ns)
{
	s->ns += ns;
	s->count++;
	if (ns > s->longest)
		s->longest = ns;
}

/* From the end of the last turn until ARRIVED; the clocks of CPUs may differ by some ns. */
static __always_inline void tap_wait_history_add(struct tap_wait_history *h, u64 left, u64 woken, u64 arrived,
						 struct tap_wait_slot *ran, struct tap_wait_slot *slept,
						 struct tap_wait_slot *runnable)
{
	u32 at = READ_ONCE(h->next);
	struct tap_wait_turn *t = (void *)h->turns + at;
	u64 end = h->end;

	left = max(left, end);
	woken = max(woken, left);
	arrived = max(arrived, woken);
	t->left = left;
	t->woken = woken;
	t->arrived = arrived;
	t->ran = ran;
	t->slept = slept;
	t->runnable = runnable;
	h->end = arrived;
	tap_wait_slot_add(ran, left - end);
	if (slept)
		tap_wait_slot_add(slept, woken - left);
	if (runnable)
		tap_wait_slot_add(runnable, arrived - woken);
	if (likely(at + sizeof(*t) < sizeof(h->turns)))
		WRITE_ONCE(h->next, at + sizeof(*t));
	else
		tap_wait_history_mark(h);
}

/* One piece. */
static inline void tap_wait_history_push(struct tap_wait_history *h, u64 end, struct tap_wait_slot *slot)
{
	tap_wait_history_add(h, end, end, end, slot, NULL, NULL);
}

#endif
