/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DFA from the right, see regex_compile.c. */
#include "core/regex_shared_compile.h"

enum { NOW = 0, MOST_RANKS = 255 };

/* The key of a DFA state: for each NFA state that a byte can lead to (a target), whether it is alive and the ranks
 * of the ends of its parts; then whether a match begins here, and the choices. */
struct backward {
	struct compiler *c;
	u32 *targets;
	u32 target_count;
	u32 *living;			/* the targets that are alive */
	u32 living_count;
	u8 *packed;			/* [parts] */
	bool *is_target;
	u8 *alive;			/* [states] */
	u8 *ranks;			/* [states][levels]; a later end has a higher rank */
	u8 *choices;			/* of the state being built */
	u32 choice_size;
	u8 *key;
	u32 key_size;
};

static u8 *ranks_of(const struct backward *b, u32 state)
{
	return b->ranks + (u64)state * b->c->levels;
}

static u32 levels_of(const struct compiler *c, u32 state)
{
	return c->parts[c->states[state].part].level + 1;
}

static void copy_ranks(struct backward *b, u32 to, u32 from, u32 levels)
{
	__builtin_memcpy(ranks_of(b, to), ranks_of(b, from), levels);
}

/* Whether the second branch of fork I is the better one. Both branches are inside all the parts that contain the
 * fork. */
static bool other_is_better(const struct backward *b, u32 i)
{
	const struct state *s = &b->c->states[i];
	int order;

	if (!b->alive[s->next] || !b->alive[s->other])
		return b->alive[s->other];
	order = __builtin_memcmp(ranks_of(b, s->next), ranks_of(b, s->other), levels_of(b->c, i));
	return order < 0;
}

/* Computes one state from its successors. */
static void settle(struct backward *b, u32 i, bool at_begin, bool at_end)
{
	const struct state *s = &b->c->states[i];
	u32 levels = levels_of(b->c, i);
	u32 from = s->next;

	switch (s->op) {
	case OP_BYTES:
		return;				/* set by backward_step() */
	case OP_FAIL:
		b->alive[i] = 0;
		return;
	case OP_ACCEPT:				/* a match may end anywhere */
		b->alive[i] = 1;
		ranks_of(b, i)[0] = NOW;
		return;
	case OP_FORK:
		if (other_is_better(b, i)) {
			b->choices[s->fork / 8] |= (u8)(1 << s->fork % 8);
			from = s->other;
		}
		break;
	case OP_BOL:
		if (!at_begin) {
			b->alive[i] = 0;
			return;
		}
		break;
	case OP_EOL:
		if (!at_end) {
			b->alive[i] = 0;
			return;
		}
		break;
	}
	b->alive[i] = b->alive[from];
	if (!b->alive[i])
		return;
	copy_ranks(b, i, from, s->op == OP_END ? levels - 1 : levels);
	if (s->op == OP_END)
		ranks_of(b, i)[levels - 1] = NOW;
}

/* T's own part may be PART or one nested in it. */
static bool lies_in(const struct compiler *c, u32 t, u32 part)
{
	u32 level = c->parts[part].level, p = c->states[t].part;

	while (c->parts[p].level > level)
		p = c->parts[p].parent;
	return p == part;
}

/* Renumbers the ranks of the ends of PART densely over the living targets in it. */
static void pack_ranks(struct backward *b, u32 part)
{
	struct compiler *c = b->c;
	u32 level = c->parts[part].level;
	u8 dense[MOST_RANKS + 1] = { 0 };
	u32 i, rank, next = 1;

	for (i = 0; i < b->living_count; i++)
		if (lies_in(c, b->living[i], part))
			dense[ranks_of(b, b->living[i])[level]] = 1;
	for (rank = 0; rank <= MOST_RANKS; rank++)
		if (dense[rank])
			dense[rank] = (u8)next++;
	for (i = 0; i < b->living_count; i++)
		if (lies_in(c, b->living[i], part))
			ranks_of(b, b->living[i])[level] = dense[ranks_of(b, b->living[i])[level]];
	if (next >= MOST_RANKS)
		tap_regex_fail_at(c, 0, "the expression is too complex: too many ways to match");
}

/* Packs all parts that have a living target. */
static void pack_all(struct backward *b)
{
	struct compiler *c = b->c;
	u32 i, p;

	b->living_count = 0;
	for (i = 0; i < b->target_count; i++)
		if (b->alive[b->targets[i]])
			b->living[b->living_count++] = b->targets[i];
	__builtin_memset(b->packed, 0, c->part_count);
	for (i = 0; i < b->living_count; i++) {
		p = c->states[b->living[i]].part;
		while (!b->packed[p]) {
			b->packed[p] = 1;
			pack_ranks(b, p);
			p = c->parts[p].parent;	/* the outermost is its own parent */
		}
	}
}

/* Ranks in a key start at 1; NOW is reserved for ends one byte further to the left. */
static struct known *backward_state(struct backward *b, struct numbering *n, bool at_begin, bool at_end)
{
	struct compiler *c = b->c;
	u32 i, size = 0;

	__builtin_memset(b->choices, 0, b->choice_size);
	for (i = 0; i < c->order_count; i++)
		settle(b, c->order[i], at_begin, at_end);
	pack_all(b);
	for (i = 0; i < b->target_count; i++) {
		u32 t = b->targets[i], levels = levels_of(c, t);
		bool counts = b->alive[t] && !at_begin;	/* nothing precedes the beginning */

		b->key[size++] = counts;
		if (counts)
			__builtin_memcpy(b->key + size, ranks_of(b, t), levels);
		else
			__builtin_memset(b->key + size, 0, levels);
		size += levels;
	}
	b->key[size++] = b->alive[c->start];
	__builtin_memcpy(b->key + size, b->choices, b->choice_size);
	return tap_regex_known(n, b->key, size + b->choice_size);
}

/* Restores the targets' state from a key, then computes what BYTE before them makes alive. */
static struct known *backward_step(struct backward *b, struct numbering *n, const u8 *key, u8 byte,
				   bool at_begin)
{
	struct compiler *c = b->c;
	u32 i, size = 0;

	__builtin_memset(b->alive, 0, c->state_count);
	for (i = 0; i < b->target_count; i++) {
		u32 t = b->targets[i], levels = levels_of(c, t);

		b->alive[t] = key[size++];
		__builtin_memcpy(ranks_of(b, t), key + size, levels);
		size += levels;
	}
	/* A state may be a target and also consume a byte: first store all new values
	 * separately, then copy them. */
	for (i = 0; i < c->state_count; i++) {
		const struct state *s = &c->states[i];

		if (s->op == OP_BYTES && b->alive[s->next] % 2 && set_has(s->set, byte)) {
			b->alive[i] |= 2;
			copy_ranks(b, c->state_count + i, s->next, levels_of(c, i));
		}
	}
	for (i = 0; i < c->state_count; i++) {
		b->alive[i] >>= 1;
		if (b->alive[i])
			copy_ranks(b, i, c->state_count + i, levels_of(c, i));
	}
	return backward_state(b, n, at_begin, false);
}

static bool backward_open(struct backward *b, struct compiler *c)
{
	u32 i;

	b->c = c;
	b->choice_size = (c->fork_count + 7) / 8;
	b->targets = tap_regex_make(c, (u64)c->state_count * sizeof(*b->targets));
	b->living = tap_regex_make(c, (u64)c->state_count * sizeof(*b->living));
	b->packed = tap_regex_make(c, c->part_count);
	b->is_target = tap_regex_make(c, c->state_count);
	b->alive = tap_regex_make(c, c->state_count);
	b->ranks = tap_regex_make(c, 2 * (u64)c->state_count * c->levels);
	b->choices = tap_regex_make(c, b->choice_size + 1);
	if (c->failed)
		return false;
	for (i = 0; i < c->state_count; i++)
		if (c->states[i].op == OP_BYTES)
			b->is_target[c->states[i].next] = true;
	for (i = 0; i < c->state_count; i++) {
		if (!b->is_target[i])
			continue;
		b->targets[b->target_count++] = i;
		b->key_size += 1 + levels_of(c, i);
	}
	b->key_size += 1 + b->choice_size;
	b->key = tap_regex_make(c, b->key_size);
	return !c->failed;
}

/* Stores equal rows of choices once. */
static struct numbering *make_rows(struct backward *b, struct numbering *states)
{
	struct numbering *rows = tap_regex_numbering(b->c, 1);
	struct known *state, *row;

	if (!rows)
		return NULL;
	for (state = states->first; state; state = state->after) {
		const u8 *choices = state->key + b->key_size - b->choice_size;

		row = tap_regex_known(rows, choices, b->choice_size);
		if (!row)
			return NULL;
		state->flag = choices[-1];
		state->row = (u16)row->number;
	}
	return rows;
}

static void fill_state(struct backward *b, struct numbering *n, struct known *state)
{
	struct compiler *c = b->c;
	struct known *next;
	u32 k;

	for (k = 0; k < n->columns; k++) {
		next = backward_step(b, n, state->key, c->sample[k % c->columns], k >= c->columns);
		if (!next)
			return;
		state->cells[k] = (u16)next->number;
	}
}

struct numbering *tap_regex_backward(struct compiler *c, struct tap_regex *sizes, struct numbering **rows)
{
	struct numbering *n = tap_regex_numbering(c, c->columns * (1 + c->has_bol));
	struct backward b = { 0 };
	struct known *state, *start, *empty;

	if (!n || !backward_open(&b, c))
		return NULL;
	start = backward_state(&b, n, false, true);
	__builtin_memset(b.alive, 0, c->state_count);
	empty = backward_state(&b, n, true, true);
	for (state = n->first; state && !c->failed; state = state->after)
		fill_state(&b, n, state);
	if (c->failed)
		return NULL;
	*rows = make_rows(&b, n);
	if (!*rows)
		return NULL;
	sizes->back_start = start->number;
	sizes->back_start_empty = empty->number;
	sizes->back_states = n->count;
	sizes->back_columns = n->columns;
	sizes->choice_rows = (*rows)->count;
	sizes->choice_size = b.choice_size;
	return n;
}
