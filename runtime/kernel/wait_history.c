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

/* ---- slots ---- */

static void wait_history_account(const struct tap_wait_history *h, struct tap_wait_slot *s)
{
	if (h->counts && s->count)
		tap_chain_account(s->chain, s->count, s->ns - min(s->accounted, s->ns), s->longest);
	s->accounted = s->ns;
	s->longest = 0;
	s->count = s->seen = 0;
}

void tap_wait_history_account(struct tap_wait_history *h)
{
	for (u32 i = 0; i < h->used; i++)
		wait_history_account(h, &h->slots[i]);
}

/* One that was not used since the hand passed by last. */
static struct tap_wait_slot *wait_history_victim(struct tap_wait_history *h)
{
	struct tap_wait_slot *s = h->slots;

	for (u32 i = 0; i < 2 * TAP_WAIT_SLOTS; i++) {
		u32 hand = READ_ONCE(h->hand);

		s = &h->slots[hand];
		WRITE_ONCE(h->hand, (hand + 1) % TAP_WAIT_SLOTS);
		if (s->seen == s->count)
			break;
		s->seen = s->count;
	}
	return s;
}

struct tap_wait_slot *tap_wait_history_slot(struct tap_wait_history *h, u32 chain, bool *lost)
{
	u32 used = READ_ONCE(h->used);
	struct tap_wait_slot *s;

	for (u32 i = 0; i < used; i++)
		if (h->slots[i].chain == chain)
			return &h->slots[i];
	if (used < TAP_WAIT_SLOTS) {
		s = &h->slots[used];
		WRITE_ONCE(h->used, used + 1);
	} else {
		s = wait_history_victim(h);
		wait_history_account(h, s);
		*lost = true;
	}
	s->chain = chain;
	s->base = s->ns;
	s->since = h->end;
	return s;
}

/* ---- turns ---- */

void tap_wait_history_begin(struct tap_wait_history *h, u64 born)
{
	h->born = h->end = born;
}

/* Each level has every other mark that the levels below do not have; the last one all of them. Slots that were not used
 * then have been 0 since. */
void tap_wait_history_mark(struct tap_wait_history *h)
{
	u32 number = ++h->rounds, level = min_t(u32, __ffs(number | 1u << 31), TAP_WAIT_LEVELS - 1);
	struct tap_wait_mark *m = &h->marks[level][number >> (level + (level < TAP_WAIT_LEVELS - 1)) & 1];

	WRITE_ONCE(h->next, 0);
	m->end = h->end;
	for (u32 i = 0; i < h->used; i++)
		m->ns[i] = h->slots[i].ns;
}

/* ---- what is collected ---- */

u32 tap_wait_slot_chain(const struct tap_wait_slot *s, u64 end)
{
	return s && end > s->since ? s->chain : tap_chain_of(TAP_CHAIN_OTHERS, 0, TAP_PLACE_NONE, 0);
}

/* How many turns are known. */
static u32 wait_history_known(const struct tap_wait_history *h)
{
	return h->rounds ? TAP_WAIT_TURNS - 1 : tap_wait_history_next(h);
}

/* Where the turn before the last BACK ones began. */
static u64 wait_history_start(const struct tap_wait_history *h, u32 back)
{
	bool is_first = !h->rounds && back + 1 >= tap_wait_history_next(h);

	return is_first ? h->born : tap_wait_history_turn(h, back + 1)->arrived;
}

enum { WHOLE = 1 << 16 };		/* of a share */

static u64 wait_history_share(u64 part, u64 whole)
{
	for (; whole >> 47; whole >>= 1)
		part >>= 1;
	return whole ? div64_u64(part * WHOLE, whole) : WHOLE;
}

static u64 wait_history_scaled(u64 from, u64 to, u64 share)
{
	return to > from ? mul_u64_u64_shr(to - from, share, 16) : 0;
}

/* What was added up from the sums FROM to the sums TO, and of this a SHARE. Returns how much. */
static u64 wait_history_add(const struct tap_wait_history *h, const u64 *from, const u64 *to, u64 share,
			    struct tap_wait_sums *sums)
{
	u32 others = tap_chain_of(TAP_CHAIN_OTHERS, 0, TAP_PLACE_NONE, 0);
	u64 all = 0, gone = 0;

	for (u32 i = 0; i < TAP_WAIT_SLOTS; i++) {
		u64 base = h->slots[i].base, ns;

		gone += wait_history_scaled(min(from[i], base), min(to[i], base), share);
		ns = wait_history_scaled(max(from[i], base), max(to[i], base), share);
		if (ns)
			tap_wait_sums_add(sums, h->slots[i].chain, ns);
		all += ns;
	}
	if (gone)
		tap_wait_sums_add(sums, others, gone);
	return all + gone;
}

/* Within the bounds, also if another CPU uses the history. */
static u32 wait_history_at(const struct tap_wait_history *h, const struct tap_wait_slot *s)
{
	return (u32)(s - h->slots) % TAP_WAIT_SLOTS;
}

/* The sums before the turns that are known. */
static void wait_history_rewind(const struct tap_wait_history *h, u64 *ns)
{
	for (u32 i = 0; i < TAP_WAIT_SLOTS; i++)
		ns[i] = h->slots[i].ns;
	for (u32 i = 0; i < wait_history_known(h); i++) {
		const struct tap_wait_turn *t = tap_wait_history_turn(h, i);

		ns[wait_history_at(h, t->ran)] -= t->left - wait_history_start(h, i);
		if (t->slept)
			ns[wait_history_at(h, t->slept)] -= t->woken - t->left;
		if (t->runnable)
			ns[wait_history_at(h, t->runnable)] -= t->arrived - t->woken;
	}
}

/* Adds what is older than the turns that are known, of which the first begins at END. Returns where it begins. */
static u64 wait_history_add_old(const struct tap_wait_history *h, u64 begin, u64 end, struct tap_wait_sums *to)
{
	struct tap_wait_mark last = { .end = end }, first = { .end = h->born };
	const struct tap_wait_mark *before = &first, *after = &last;
	u64 from = max(begin, h->born), known;

	wait_history_rewind(h, last.ns);
	for (u32 i = 0; i < 2 * TAP_WAIT_LEVELS; i++) {
		const struct tap_wait_mark *m = &h->marks[i / 2][i % 2];

		if (m->end && m->end <= from && m->end > before->end)
			before = m;
		if (m->end > from && m->end < after->end)
			after = m;
	}
	wait_history_add(h, after->ns, last.ns, WHOLE, to);
	known = wait_history_add(h, before->ns, after->ns,
				 wait_history_share(after->end - from, after->end - before->end), to);
	if (known < after->end - from && to->used)	/* rounded */
		to->ns[to->used - 1] += after->end - from - known;
	return from;
}

/* The part since BEGIN of a piece. */
static void wait_history_add_piece(struct tap_wait_sums *to, const struct tap_wait_slot *s, u64 from, u64 end,
				   u64 begin)
{
	if (s && end > max(from, begin))
		tap_wait_sums_add(to, tap_wait_slot_chain(s, end), end - max(from, begin));
}

u64 tap_wait_history_collect(const struct tap_wait_history *h, u64 begin, struct tap_wait_sums *to)
{
	u64 end = h->end;

	for (u32 i = 0; i < wait_history_known(h) && end > begin; i++) {
		const struct tap_wait_turn *t = tap_wait_history_turn(h, i);

		wait_history_add_piece(to, t->runnable, t->woken, t->arrived, begin);
		wait_history_add_piece(to, t->slept, t->left, t->woken, begin);
		end = wait_history_start(h, i);
		wait_history_add_piece(to, t->ran, end, t->left, begin);
	}
	if (end > begin)
		end = wait_history_add_old(h, begin, end, to);
	return end > begin ? end - begin : 0;
}
