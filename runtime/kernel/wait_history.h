/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one thread did, without a gap: pieces of time, each with a chain (chains.h). The last pieces are kept exactly,
 * older ones as sums by chain over regions of time, each four times as long as the next younger one. The caller holds
 * the thread's lock. */
#ifndef TAP_WAIT_HISTORY_H
#define TAP_WAIT_HISTORY_H

#include <linux/types.h>

enum {
	TAP_WAIT_RECENT = 16,		/* pieces; a power of two */
	TAP_WAIT_REGIONS = 4,
	TAP_WAIT_SUMS = 12,		/* chains of a region, and of a wait; fewer than TAP_WAIT_RECENT - 2 */
};

/* Times in ns by chain. One with fewer than all its places used may be copied or cleared as a whole. */
struct tap_wait_sums {
	u32 used;
	u32 chains[TAP_WAIT_SUMS];
	u64 ns[TAP_WAIT_SUMS];
};

struct tap_wait_piece {
	u64 end;
	u32 chain;
};

struct tap_wait_region {
	u64 begin, end;
	u32 pieces;
	struct tap_wait_sums sums;
};

struct tap_wait_history {
	u64 born;			/* when it begins */
	u64 floor;			/* where the oldest of the recent pieces begins */
	u32 pushed;			/* pieces */
	struct tap_wait_piece recent[TAP_WAIT_RECENT];
	struct tap_wait_region regions[TAP_WAIT_REGIONS];
};

/* Where there is no room for another chain, those with the least time become "others". */
void tap_wait_sums_add(struct tap_wait_sums *s, u32 chain, u64 ns);

/* H is all zeros. */
void tap_wait_history_begin(struct tap_wait_history *h, u64 born);
/* Where the last piece ends. */
u64 tap_wait_history_end(const struct tap_wait_history *h);
/* From the end of the last piece until END, which must not be before it. */
void tap_wait_history_push(struct tap_wait_history *h, u64 end, u32 chain);
/* Adds the times since BEGIN, the youngest first: of a region in which BEGIN lies, its share of each sum. Returns the
 * time for which nothing is known, as that was before the history begins. */
u64 tap_wait_history_collect(const struct tap_wait_history *h, u64 begin, struct tap_wait_sums *to);

/* The piece with number AT, counted from 0 at the beginning, which must be one of the recent ones. */
static inline const struct tap_wait_piece *tap_wait_history_piece(const struct tap_wait_history *h, u32 at)
{
	return &h->recent[at % TAP_WAIT_RECENT];
}

static inline u64 tap_wait_history_piece_ns(const struct tap_wait_history *h, u32 at)
{
	return tap_wait_history_piece(h, at)->end - (at ? tap_wait_history_piece(h, at - 1)->end : h->floor);
}

#endif
