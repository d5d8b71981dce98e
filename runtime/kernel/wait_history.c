// SPDX-License-Identifier: GPL-2.0-or-later
#include "wait_history.h"

#include <linux/math64.h>
#include <linux/minmax.h>

#include "chains.h"

/* ---- times by chain ---- */

/* S is full. The chain with the least time makes room for CHAIN, unless CHAIN has less: one of them is added to the
 * others. Returns CHAIN's place. */
static u32 wait_history_replace(struct tap_wait_sums *s, u32 chain, u64 ns)
{
	enum { LAST = TAP_WAIT_SUMS - 1 };
	u32 others = tap_chain_of(TAP_CHAIN_OTHERS, 0, TAP_PLACE_NONE, 0), least = 0;

	for (u32 i = 1; i < LAST; i++)
		if (s->ns[i] < s->ns[least])
			least = i;
	if (s->chains[LAST] != others && s->ns[LAST] > s->ns[least]) {
		swap(s->chains[LAST], s->chains[least]);
		swap(s->ns[LAST], s->ns[least]);
	}
	s->chains[LAST] = others;
	if (chain == others || ns <= s->ns[least])
		return LAST;
	s->ns[LAST] += s->ns[least];
	s->chains[least] = chain;
	s->ns[least] = 0;
	return least;
}

void tap_wait_sums_add(struct tap_wait_sums *s, u32 chain, u64 ns)
{
	u32 i = 0;

	while (i < s->used && s->chains[i] != chain)
		i++;
	if (i == TAP_WAIT_SUMS) {
		i = wait_history_replace(s, chain, ns);
	} else if (i == s->used) {
		s->used++;
		s->chains[i] = chain;
		s->ns[i] = 0;
	}
	s->ns[i] += ns;
}

static void wait_history_add_all(struct tap_wait_sums *to, const struct tap_wait_sums *from)
{
	for (u32 i = 0; i < from->used; i++)
		tap_wait_sums_add(to, from->chains[i], from->ns[i]);
}

/* ---- what is pushed ---- */

void tap_wait_history_begin(struct tap_wait_history *h, u64 born)
{
	h->born = h->floor = born;
	for (u32 i = 0; i < TAP_WAIT_REGIONS; i++)
		h->regions[i].begin = born;
}

u64 tap_wait_history_end(const struct tap_wait_history *h)
{
	return h->pushed ? tap_wait_history_piece(h, h->pushed - 1)->end : h->floor;
}

static void wait_history_merge(struct tap_wait_region *to, const struct tap_wait_region *from)
{
	wait_history_add_all(&to->sums, &from->sums);
	to->end = from->end;
	to->pieces += from->pieces;
}

/* The oldest of the recent pieces. */
static void wait_history_condense(struct tap_wait_history *h, const struct tap_wait_piece *p)
{
	struct tap_wait_region *r = h->regions;

	tap_wait_sums_add(&r->sums, p->chain, p->end - h->floor);
	h->floor = r->end = p->end;
	r->pieces++;
	for (u32 i = 0; i < TAP_WAIT_REGIONS - 1 && r->pieces >= TAP_WAIT_RECENT << 2 * i; i++, r++) {
		wait_history_merge(r + 1, r);
		r->begin = r->end;
		r->pieces = r->sums.used = 0;
	}
}

void tap_wait_history_push(struct tap_wait_history *h, u64 end, u32 chain)
{
	struct tap_wait_piece *p = &h->recent[h->pushed % TAP_WAIT_RECENT];
	struct tap_wait_piece *last = &h->recent[(h->pushed - 1) % TAP_WAIT_RECENT];

	if (h->pushed && last->chain == chain) {
		last->end = end;
		return;
	}
	if (h->pushed >= TAP_WAIT_RECENT)
		wait_history_condense(h, p);
	*p = (struct tap_wait_piece){ end, chain };
	h->pushed++;
}

/* ---- what is collected ---- */

/* PART ns at the end of the region. */
static void wait_history_add_share(struct tap_wait_sums *to, const struct tap_wait_region *r, u64 part)
{
	u64 unit = (r->end - r->begin) >> 16 ?: 1, share = div64_u64(part, unit), rest = part;

	for (u32 i = r->sums.used - 1; i > 0; i--) {
		u64 ns = min(mul_u64_u64_shr(r->sums.ns[i], share, 16), rest);

		tap_wait_sums_add(to, r->sums.chains[i], ns);
		rest -= ns;
	}
	tap_wait_sums_add(to, r->sums.chains[0], rest);
}

/* Adds what is older than the recent pieces. Returns where it begins. */
static u64 wait_history_collect_old(const struct tap_wait_history *h, u64 begin, struct tap_wait_sums *to)
{
	for (u32 i = 0; i < TAP_WAIT_REGIONS; i++) {
		const struct tap_wait_region *r = &h->regions[i];

		if (!r->pieces)
			continue;
		if (begin > r->begin) {
			wait_history_add_share(to, r, r->end - begin);
			return begin;
		}
		wait_history_add_all(to, &r->sums);
	}
	return h->born;
}

u64 tap_wait_history_collect(const struct tap_wait_history *h, u64 begin, struct tap_wait_sums *to)
{
	u32 oldest = h->pushed > TAP_WAIT_RECENT ? h->pushed - TAP_WAIT_RECENT : 0;
	u64 end = tap_wait_history_end(h), from;

	for (u32 i = h->pushed; i > oldest && end > begin; i--, end = from) {
		from = i - 1 == oldest ? h->floor : tap_wait_history_piece(h, i - 2)->end;
		tap_wait_sums_add(to, tap_wait_history_piece(h, i - 1)->chain, end - max(from, begin));
	}
	if (end > begin)
		end = wait_history_collect_old(h, begin, to);
	return end > begin ? end - begin : 0;
}
