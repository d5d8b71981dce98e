/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store of texts in one block of memory of fixed size: the long strings of a map. Free pieces
 * are merged with free neighbours at once and kept in lists by size, with a bit for each
 * non-empty list, so that allocating and freeing take constant time. */
#ifndef TAP_CORE_STORE_H
#define TAP_CORE_STORE_H

#include "tap_script.h"

enum { TAP_STORE_UNIT = 16, TAP_STORE_BINS = 64 };

struct tap_store {
	char *base;
	u32 units;
	u32 least;			/* units of the smallest piece */
	u32 bins[TAP_STORE_BINS];	/* the first piece of each list, 0: empty */
	u64 used_bins;
};

/* MEMORY: UNITS * TAP_STORE_UNIT bytes, aligned to 8. With fewer than 3 units the store is
 * always full. No piece has fewer than LEAST units: if LEAST is that of the longest text, all pieces
 * have one size, and no free room is lost between them. */
void tap_store_open(struct tap_store *s, char *memory, u32 units, u32 least);
/* A piece for SIZE bytes and a NUL; 0 if there is no room. */
u32 tap_store_take(struct tap_store *s, u32 size);
void tap_store_give(struct tap_store *s, u32 piece);
/* The capacity of a piece in bytes, without a NUL. */
u32 tap_store_room(const struct tap_store *s, u32 piece);

static inline char *tap_store_text(const struct tap_store *s, u32 piece)
{
	return s->base + (u64)piece * TAP_STORE_UNIT + 8;
}

/* Units for one text of SIZE bytes. */
static inline u32 tap_store_units(u32 size)
{
	return (size + 1 + 8 + TAP_STORE_UNIT - 1) / TAP_STORE_UNIT;
}

#endif
