/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece is a run of units: an 8-byte header, then the text or, while it is free, the links of
 * its list. Piece 0 and one of the last unit are never free, so neighbours need no end checks. */
#include "core/store.h"

struct piece {
	u32 units;		/* of this piece; the top bit: FREE */
	u32 before;		/* units of the preceding piece */
	u32 next, previous;	/* in its list, when free */
};

enum { FREE = 0x80000000u };

static struct piece *at(const struct tap_store *s, u32 i)
{
	return (struct piece *)(s->base + (u64)i * TAP_STORE_UNIT);
}

static bool is_free(const struct piece *p)
{
	return p->units & FREE;
}

/* One list per size up to 31 units, then four lists per power of two; the last has all sizes from 8192 on. */
static u32 bin_of(u32 units)
{
	u32 top;

	if (units < 32)
		return units - 1;
	top = 31 - (u32)__builtin_clz(units);
	if (top >= 13)
		return TAP_STORE_BINS - 1;
	return 31 + (top - 5) * 4 + (units >> (top - 2) & 3);
}

/* The first list whose pieces all have at least UNITS. */
static u32 bin_for(u32 units)
{
	if (units >= 32)
		units += (1u << (31 - (u32)__builtin_clz(units) - 2)) - 1;
	return bin_of(units);
}

static void list(struct tap_store *s, u32 i)
{
	struct piece *p = at(s, i);
	u32 bin = bin_of(p->units);

	p->units |= FREE;
	p->previous = 0;
	p->next = s->bins[bin];
	if (p->next)
		at(s, p->next)->previous = i;
	s->bins[bin] = i;
	s->used_bins |= (u64)1 << bin;
}

static void unlist(struct tap_store *s, u32 i)
{
	struct piece *p = at(s, i);
	u32 bin;

	p->units &= ~FREE;
	bin = bin_of(p->units);
	if (p->next)
		at(s, p->next)->previous = p->previous;
	if (p->previous) {
		at(s, p->previous)->next = p->next;
		return;
	}
	s->bins[bin] = p->next;
	if (!p->next)
		s->used_bins &= ~((u64)1 << bin);
}

static void set_units(struct tap_store *s, u32 i, u32 units)
{
	at(s, i)->units = units;
	at(s, i + units)->before = units;
}

void tap_store_open(struct tap_store *s, char *memory, u32 units, u32 least)
{
	__builtin_memset(s, 0, sizeof(*s));
	s->base = memory;
	s->units = units;
	s->least = least;
	if (units < 3)
		return;
	set_units(s, 0, 1);
	set_units(s, 1, units - 2);
	at(s, units - 1)->units = 1;
	list(s, 1);
}

/* A list of several sizes may hold a piece that fits, most likely one that was freed. */
static __attribute__((__noinline__)) u32 find_fitting(const struct tap_store *s, u32 units)
{
	enum { MOST_TRIED = 8 };
	u32 i = s->bins[bin_of(units)];

	for (u32 tried = 0; i && tried < MOST_TRIED; tried++, i = at(s, i)->next)
		if ((at(s, i)->units & ~FREE) >= units)
			return i;
	return 0;
}

u32 tap_store_take(struct tap_store *s, u32 size)
{
	u32 units = tap_store_units(size);
	u32 bin, i, whole;
	u64 candidates;

	if (units < s->least)
		units = s->least;
	bin = bin_for(units);
	candidates = s->used_bins >> bin << bin;
	i = candidates ? s->bins[__builtin_ctzll(candidates)] : find_fitting(s, units);
	if (!i)
		return 0;
	unlist(s, i);
	whole = at(s, i)->units;
	if (whole > units) {
		set_units(s, i, units);
		set_units(s, i + units, whole - units);
		list(s, i + units);
	}
	return i;
}

void tap_store_give(struct tap_store *s, u32 i)
{
	u32 units = at(s, i)->units;
	u32 next = i + units;
	u32 before = i - at(s, i)->before;

	if (is_free(at(s, next))) {
		unlist(s, next);
		units += at(s, next)->units;
	}
	if (is_free(at(s, before))) {
		unlist(s, before);
		units += at(s, before)->units;
		i = before;
	}
	set_units(s, i, units);
	list(s, i);
}

u32 tap_store_room(const struct tap_store *s, u32 i)
{
	return at(s, i)->units * TAP_STORE_UNIT - 8 - 1;
}
