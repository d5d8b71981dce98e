/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DFA from the left. A match may begin anywhere, and one match is enough. */
#include "core/regex_shared_compile.h"

/* A key has a byte for each NFA state: 1 if the text so far may have led there. Only states that need a byte or the
 * end are kept. */
struct forward {
	struct compiler *c;
	u8 *reached;
	bool at_begin, at_end;
};

/* Extends REACHED to all states reachable without a byte; true if that includes the end of the
 * expression. */
static bool spread(struct forward *f)
{
	struct compiler *c = f->c;
	bool matched = false;
	u32 i = c->order_count;

	while (i--) {
		u32 at = c->order[i];
		const struct state *s = &c->states[at];

		if (!f->reached[at])
			continue;
		if (s->op == OP_ACCEPT)
			matched = true;
		if (!leads_on(s) || (s->op == OP_BOL && !f->at_begin) || (s->op == OP_EOL && !f->at_end))
			continue;
		f->reached[s->next] = 1;
		if (s->op == OP_FORK)
			f->reached[s->other] = 1;
	}
	return matched;
}

/* Keeps only the states that matter later in a key. */
static void trim(struct forward *f)
{
	u32 i;

	for (i = 0; i < f->c->state_count; i++)
		if (f->c->states[i].op != OP_BYTES && f->c->states[i].op != OP_EOL)
			f->reached[i] = 0;
}

/* The DFA state for REACHED and what it leads to; FAILED and MATCHED were created first. */
static struct known *forward_state(struct forward *f, struct numbering *n)
{
	if (spread(f))
		return n->first->after;
	trim(f);
	return tap_regex_known(n, f->reached, f->c->state_count);
}

static bool matches_at_end(struct forward *f, const u8 *key, bool at_begin)
{
	bool matched;

	__builtin_memcpy(f->reached, key, f->c->state_count);
	f->at_end = true;
	f->at_begin = at_begin;
	matched = spread(f);
	f->at_end = f->at_begin = false;
	return matched;
}

static struct known *forward_step(struct forward *f, struct numbering *n, const u8 *key, u8 byte)
{
	struct compiler *c = f->c;
	u32 i;

	__builtin_memset(f->reached, 0, c->state_count);
	f->reached[c->start] = 1;		/* a match may also begin here */
	for (i = 0; i < c->state_count; i++)
		if (key[i] && c->states[i].op == OP_BYTES && set_has(c->states[i].set, byte))
			f->reached[c->states[i].next] = 1;
	return forward_state(f, n);
}

static void fill_state(struct forward *f, struct numbering *n, struct known *state)
{
	struct known *next;
	u32 k;

	for (k = 0; k < n->columns; k++) {
		next = state->number == TAP_REGEX_MATCHED ? state
							  : forward_step(f, n, state->key, f->c->sample[k]);
		if (!next)
			return;
		state->cells[k] = (u16)next->number;
	}
	state->flag = state->number == TAP_REGEX_MATCHED || matches_at_end(f, state->key, false);
}

/* An empty text is at its beginning and at its end at the same time: "^$". The start state's flag says whether that
 * matches; if steps lead back to the start state and its flag would differ there, a copy becomes the start. */
static struct known *separate_start(struct forward *f, struct numbering *n, struct known *start)
{
	struct compiler *c = f->c;
	u8 *key = tap_regex_make(c, c->state_count);
	struct known *copy;

	if (!key || start->number == TAP_REGEX_MATCHED)
		return start;
	key[c->start] = 1;
	if (start->flag == matches_at_end(f, key, true))
		return start;
	copy = tap_regex_new(n, start->key, start->size);
	if (!copy)
		return NULL;
	__builtin_memcpy(copy->cells, start->cells, n->columns * sizeof(*copy->cells));
	copy->flag = true;
	return copy;
}

struct numbering *tap_regex_forward(struct compiler *c, struct tap_regex *sizes)
{
	struct numbering *n = tap_regex_numbering(c, c->columns);
	struct forward f = { .c = c };
	struct known *state, *start;

	f.reached = tap_regex_make(c, c->state_count);
	if (c->failed)
		return NULL;
	/* FAILED: no state is reached. MATCHED: all are, which is the key of no other state. */
	tap_regex_known(n, f.reached, c->state_count);
	__builtin_memset(f.reached, 1, c->state_count);
	tap_regex_known(n, f.reached, c->state_count);
	if (c->failed)
		return NULL;
	__builtin_memset(f.reached, 0, c->state_count);
	f.reached[c->start] = 1;
	f.at_begin = true;
	start = forward_state(&f, n);
	f.at_begin = false;
	for (state = n->first; state && !c->failed; state = state->after)
		fill_state(&f, n, state);
	if (!c->failed)
		start = separate_start(&f, n, start);
	if (c->failed)
		return NULL;
	sizes->start = start->number;
	sizes->states = n->count;
	return n;
}
