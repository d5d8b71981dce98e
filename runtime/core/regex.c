/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matching: one table lookup per byte and pass. */
#include "core/regex.h"
#include "core/host.h"
#include "core/string.h"

static bool search(const struct tap_regex *re, struct tap_string s)
{
	const u8 *p = (const u8 *)s.data, *end = p + s.size;
	u32 state = re->start;

	for (; p < end && state > TAP_REGEX_MATCHED; p++)
		state = re->next[state * re->columns + re->classes[*p]];
	return state == TAP_REGEX_MATCHED || (p == end && re->at_end[state]);
}

/* Computes the DFA states from the right, one for each position between bytes. Returns where the leftmost match
 * begins. */
static u32 read_back(const struct tap_regex *re, struct tap_string s, u16 *states)
{
	u32 first = re->back_columns - re->columns;	/* for the byte at 0 */
	u32 state = s.size ? re->back_start : re->back_start_empty;
	u32 i = s.size, begin = s.size;

	for (;;) {
		states[i] = (u16)state;
		if (re->begins[state])
			begin = i;
		if (!i--)
			return begin;
		state = re->back[state * re->back_columns + re->classes[(u8)s.data[i]] + (i ? 0 : first)];
	}
}

static bool takes_other(const struct tap_regex *re, u16 state, u32 fork)
{
	return re->choices[re->rows[state] * re->choice_size + fork / 8] >> fork % 8 & 1;
}

static void open_group(struct tap_groups *g, const struct tap_regex_node *n, u32 at)
{
	u32 i;

	g->at[n->group].start = at;
	for (i = n->group + 1u; i <= n->last_group; i++) {
		g->at[i].start = 1;
		g->at[i].end = 0;
	}
}

/* Follows the better branches from BEGIN on. Every step either consumes a byte or moves on in a part of the
 * expression that has no cycle without one; STEPS guards against damaged tables. */
static void walk(const struct tap_regex *re, struct tap_groups *g, const u16 *states, u32 begin, u32 size)
{
	const struct tap_regex_node *n = re->nodes;
	u64 steps = ((u64)size + 1) * re->node_count;
	u32 i = begin;

	for (; n->op != TAP_NODE_ACCEPT && steps; steps--) {
		const struct tap_regex_node *next = re->nodes + n->next;

		switch (n->op) {
		case TAP_NODE_BYTE:
			if (i < size)
				i++;
			break;
		case TAP_NODE_FORK:
			if (takes_other(re, states[i], n->fork))
				next = re->nodes + n->other;
			break;
		case TAP_NODE_OPEN:
			open_group(g, n, i);
			break;
		case TAP_NODE_CLOSE:
			g->at[n->group].end = i;
			break;
		}
		n = next;
	}
	g->at[0].start = begin;
	g->at[0].end = i;
}

static bool note_groups(struct tap_context *c, const struct tap_regex *re, struct tap_groups *g,
			struct tap_string s)
{
	char *scratch = c->scratch;
	u16 *states;
	u32 i, begin;

	if (!re->back)
		return true;			/* compiled without groups: they will not be asked for */
	states = tap_scratch(c, (s.size + 1) * (u32)sizeof(*states));
	if (!states)
		return false;
	for (i = 0; i < re->groups; i++) {
		g->at[i].start = 1;
		g->at[i].end = 0;
	}
	begin = read_back(re, s, states);
	walk(re, g, states, begin, s.size);
	c->scratch = scratch;
	g->count = re->groups;
	g->size = tap_string_store(g->text, s).size;
	g->matched = true;
	return true;
}

bool tap_regex_match(struct tap_context *c, const struct tap_regex *re, struct tap_string s)
{
	bool matched = search(re, s);
	struct tap_groups *g = tap_host_groups(c);

	if (!g)
		return matched;
	g->matched = false;
	return matched && note_groups(c, re, g, s);
}

/* ---- the last match ---- */

static struct tap_groups *groups_of(struct tap_context *c)
{
	struct tap_groups *g = tap_host_groups(c);

	if (g && g->matched)
		return g;
	tap_error(c, "no successful match with =~ before this");
	return NULL;
}

struct tap_string tap_matched(struct tap_context *c, s64 n)
{
	struct tap_groups *g = groups_of(c);
	u32 start, end;

	if (!g)
		return TAP_EMPTY;
	if (n < 0 || n >= (s64)g->count) {
		tap_error(c, "no subexpression %lld in the last regular expression, it has %u", n,
			  g->count - 1);
		return TAP_EMPTY;
	}
	start = g->at[n].start;
	end = g->at[n].end;
	if (start >= end || end > g->size)
		return TAP_EMPTY;
	return tap_string_hold(c, (struct tap_string){ g->text + start, end - start });
}

s64 tap_ngroups(struct tap_context *c)
{
	struct tap_groups *g = groups_of(c);

	return g ? g->count : 0;
}
