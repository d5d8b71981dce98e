/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of waiting: "A in read <- B in futex <- timer hrtimer_wakeup", and how long they took. A chain is a link:
 * the first name, and the number of the chain that it waited for. From any handler; nothing is ever deleted, so the
 * number of a chain stays valid. */
#ifndef TAP_CHAINS_H
#define TAP_CHAINS_H

#include <linux/atomic.h>

#include "session.h"

enum {
	TAP_CHAIN_DEPTH = 8,		/* threads in a chain */
	TAP_CHAINS = 1 << 14,		/* chains are numbered from 1 */
	TAP_CHAIN_NAMES = 1 << 12,
};

/* A short lock, with interrupts off. False: its holder's virtual CPU does not run, or a probe of what the holder does
 * has led here. */
static inline bool tap_chains_lock(atomic_t *lock)
{
	enum { SPINS = 1 << 14 };

	for (u32 i = 0; i < SPINS; i++) {
		if (!atomic_read(lock) && !atomic_cmpxchg_acquire(lock, 0, 1))
			return true;
		cpu_relax();
	}
	return false;
}

static inline void tap_chains_unlock(atomic_t *lock)
{
	atomic_set_release(lock, 0);
}

/* What a chain says of its first name. All but the first end a chain. */
enum tap_chain_kind {
	TAP_CHAIN_WAITS = 1,		/* for the rest of the chain */
	TAP_CHAIN_RUNS, TAP_CHAIN_IS_RUNNABLE,
	/* woken up by */
	TAP_CHAIN_TIMER, TAP_CHAIN_DISK, TAP_CHAIN_NETWORK, TAP_CHAIN_INTERRUPT, TAP_CHAIN_SOFTIRQ,
	/* broken: */
	TAP_CHAIN_UNSEEN,		/* not switched since the start */
	TAP_CHAIN_UNBORN,		/* did not exist yet */
	TAP_CHAIN_UNKNOWN,		/* the wake-up was not seen */
	TAP_CHAIN_UNFINISHED,		/* not woken up */
	TAP_CHAIN_SHORT,		/* shorter waits than those searched for */
	TAP_CHAIN_MORE,			/* there is no more room: for threads, names or links */
	TAP_CHAIN_OTHERS,		/* too many chains in one wait */
	TAP_CHAIN_LOCKED,		/* as TAP_CHAIN_WAITS, for a lock that the next one holds */
};

/* Where a thread waits, besides the number of a system call. */
enum { TAP_PLACE_NONE = 0xffff, TAP_PLACE_FAULT = 0xfffe, TAP_PLACE_NARROW = 0xfffd };

/* A name of 16 bytes, or an address of code. 0: no room. */
u32 tap_chain_name(const u64 text[2]);
u32 tap_chain_function(unsigned long address);

/* The chain with this beginning. REST: 0 for the kinds that end a chain, modulo TAP_CHAINS, as a record that two CPUs
 * used may have any number. */
u32 tap_chain_of(enum tap_chain_kind kind, u32 name, u32 place, u32 rest);
/* COUNT more times, which took NS together, the longest LONGEST. */
void tap_chain_account(u32 chain, u32 count, u64 ns, u64 longest);
void tap_chain_account_wall(u32 name, u64 ns);

/* The next one that has been accounted for; 0: no more. */
s64 tap_chain_next(s64 chain);
/* 0 for a number that no chain has. */
s64 tap_chain_kind(s64 chain);
s64 tap_chain_count(s64 chain);
s64 tap_chain_ns(s64 chain);
s64 tap_chain_longest(s64 chain);
s64 tap_chain_wall(s64 chain);		/* how long threads of its first name were followed */
s64 tap_chain_depth(s64 chain);		/* links */
s64 tap_chain_rest(s64 chain);		/* the chain without its first link; 0: there is no more */
struct tap_string tap_chain_first(struct tap_context *c, s64 chain);
/* "A in read <- B in futex <- timer hrtimer_wakeup"; FOLDED: "read;B in futex;timer hrtimer_wakeup". At most
 * MOST links. */
struct tap_string tap_chain_text(struct tap_context *c, s64 chain, bool folded, s64 most);

int tap_chains_start(void);
void tap_chains_stop(void);

#endif
