/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the tree to states (an NFA), built from its end to its beginning; their order, and
 * the classes of bytes. */
#include "core/regex_shared_compile.h"

/* Makes room for one more element in an array that doubles; the old array is freed with all
 * other memory. */
static void *grow(struct compiler *c, void *array, u32 count, u32 *room, u32 size)
{
	void *larger;

	if (count < *room || c->failed)
		return array;
	if (count == TAP_REGEX_MOST_NODES) {
		fail(c, "the expression is too large");
		return array;
	}
	*room = count ? count * 2 : 64;
	larger = tap_regex_make(c, (u64)*room * size);
	if (!larger)
		return array;
	if (count)
		__builtin_memcpy(larger, array, (u64)count * size);
	return larger;
}

static u32 state_of(struct compiler *c, enum op op, u32 next, u32 part)
{
	struct state *s;

	c->states = grow(c, c->states, c->state_count, &c->state_room, sizeof(*c->states));
	if (c->failed)
		return 0;
	s = &c->states[c->state_count];
	s->op = op;
	s->next = next;
	s->part = part;
	if (op == OP_FORK)
		s->fork = (u16)c->fork_count++;
	return c->state_count++;
}

/* Adds a part within PARENT, and the state where it ends, before NEXT. */
static u32 part_of(struct compiler *c, u32 parent, u32 next, u32 *part)
{
	struct part *p;

	c->parts = grow(c, c->parts, c->part_count, &c->part_room, sizeof(*c->parts));
	if (c->failed)
		return 0;
	p = &c->parts[c->part_count];
	p->parent = parent;
	p->level = c->part_count ? c->parts[parent].level + 1 : 0;
	if (p->level >= c->levels)
		c->levels = p->level + 1;
	*part = c->part_count++;
	return state_of(c, OP_END, next, *part);
}

static u32 build(struct compiler *c, const struct node *n, u32 next, u32 part);

static u32 build_part(struct compiler *c, const struct node *n, u32 next, u32 part)
{
	u32 s, inner, end;

	switch (n->kind) {
	case EMPTY:
		s = next;
		break;
	case BYTES:
		s = state_of(c, OP_BYTES, next, part);
		c->states[s].set = &n->set;
		break;
	case BOL: case EOL:
		s = state_of(c, n->kind == BOL ? OP_BOL : OP_EOL, next, part);
		break;
	case CAT:
		next = build(c, n->right, next, part);
		end = next;
		if (n->left->choice)
			end = part_of(c, part, next, &part);
		s = build(c, n->left, end, part);
		break;
	case ALT:
		inner = build(c, n->right, next, part);
		end = build(c, n->left, next, part);
		s = state_of(c, OP_FORK, end, part);
		c->states[s].other = inner;
		break;
	case STAR:
		s = state_of(c, OP_FORK, 0, part);
		c->states[s].other = next;
		end = s;
		if (n->left->choice)
			end = part_of(c, part, s, &part);
		inner = build(c, n->left, end, part);
		c->states[s].next = inner;
		break;
	case GROUP:
		end = state_of(c, OP_CLOSE, next, part);
		c->states[end].group = n->group;
		inner = build(c, n->left, end, part);
		s = state_of(c, OP_OPEN, inner, part);
		c->states[s].group = n->group;
		c->states[s].last_group = n->last_group;
		break;
	default:
		s = state_of(c, OP_FAIL, 0, part);
	}
	return s;
}

/* The first state of N, which continues at NEXT; N is in PART. */
static u32 build(struct compiler *c, const struct node *n, u32 next, u32 part)
{
	u32 s = 0;

	if (deeper(c) && !c->failed)
		s = build_part(c, n, next, part);
	c->depth--;
	return s;
}

/* Depth first with an explicit stack: a state follows its successors in the order. */
static bool order_states(struct compiler *c)
{
	u32 *stack = tap_regex_make(c, ((u64)c->state_count * 2 + 2) * sizeof(*stack));
	u8 *seen = tap_regex_make(c, c->state_count);	/* 1: entered, 2: done */
	u32 depth, i;

	c->order = tap_regex_make(c, (u64)c->state_count * sizeof(*c->order));
	if (c->failed)
		return false;
	for (i = 0; i < c->state_count; i++) {
		depth = 0;
		stack[depth++] = i;
		while (depth) {
			u32 at = stack[depth - 1];
			const struct state *s = &c->states[at];

			if (seen[at] == 2) {
				depth--;
				continue;
			}
			if (seen[at] == 1 || !leads_on(s)) {
				seen[at] = 2;
				c->order[c->order_count++] = at;
				depth--;
				continue;
			}
			seen[at] = 1;
			if (!seen[s->next])
				stack[depth++] = s->next;
			if (s->op == OP_FORK && !seen[s->other])
				stack[depth++] = s->other;
		}
	}
	return true;
}

/* Bytes that no set distinguishes share a column. */
static void find_classes(struct compiler *c)
{
	u32 b, k, i;

	for (b = 0; b < 256; b++) {
		for (k = 0; k < c->columns; k++) {
			for (i = 0; i < c->state_count; i++) {
				const struct state *s = &c->states[i];

				if (s->op == OP_BYTES && set_has(s->set, b) != set_has(s->set, c->sample[k]))
					break;
			}
			if (i == c->state_count)
				break;
		}
		if (k == c->columns)
			c->sample[c->columns++] = (u8)b;
		c->classes[b] = (u8)k;
	}
}

bool tap_regex_build(struct compiler *c, const struct node *tree)
{
	u32 accept, end;

	c->depth = 0;
	accept = state_of(c, OP_ACCEPT, 0, 0);
	end = part_of(c, 0, accept, &c->states[accept].part);
	c->start = build(c, tree, end, 0);
	if (c->failed || !order_states(c))
		return false;
	find_classes(c);
	return true;
}
