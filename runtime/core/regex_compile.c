/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles regular expressions to tables, in user space. The only part of core with recursion; its depth is limited
 * by MOST_DEPTH.
 *
 *	pattern -parse-> tree -build-> states (an NFA) -forward-> next[]
 *	                                               -backward-> back[], choices[]
 *
 * The tree has no repetition of an expression that can match the empty string: x* with such an x is rewritten as
 * "iterations that match something, or one empty iteration, or none" (regex_tree_compile.c). So the states have no
 * cycle that consumes nothing.
 *
 * What the DFA from the right records. Read backwards, each NFA state that can still reach the end has one best
 * continuation. Where it has two continuations (a fork), POSIX compares the positions where the enclosing parts of
 * the expression (struct part) will end: the outermost first, later is better; if all are equal the first branch is
 * the better one. Only the order of these positions matters. So a state of this DFA consists of the NFA states that
 * are alive and, for each of them, the rank of each end among the others. On a step of one byte to the left, a part
 * that ends right here ranks below everything that ends further to the right. The whole expression is the outermost
 * part, which makes the match the longest one. */
#include "core/regex_compile.h"

#include "core/regex_shared_compile.h"

/* ---- the result ---- */

/* States that only matter to the compiler are left out of the walk. */
static u32 skip(const struct compiler *c, u32 i)
{
	while (c->states[i].op == OP_END || c->states[i].op == OP_BOL || c->states[i].op == OP_EOL)
		i = c->states[i].next;
	return i;
}

/* Nodes of the walk for the states, the start node first. */
static struct tap_regex_node *make_nodes(struct compiler *c, u32 *count)
{
	static const u8 ops[] = {
		[OP_ACCEPT] = TAP_NODE_ACCEPT, [OP_FAIL] = TAP_NODE_ACCEPT, [OP_BYTES] = TAP_NODE_BYTE,
		[OP_FORK] = TAP_NODE_FORK, [OP_OPEN] = TAP_NODE_OPEN, [OP_CLOSE] = TAP_NODE_CLOSE,
	};
	struct tap_regex_node *nodes = tap_regex_make(c, (u64)c->state_count * sizeof(*nodes));
	u16 *number = tap_regex_make(c, (u64)c->state_count * sizeof(*number));
	u32 i, start;

	*count = 0;
	if (c->failed)
		return NULL;
	start = skip(c, c->start);
	number[start] = (u16)(*count)++;
	for (i = 0; i < c->state_count; i++)
		if (i != start && skip(c, i) == i)
			number[i] = (u16)(*count)++;
	for (i = 0; i < c->state_count; i++) {
		const struct state *s = &c->states[i];
		struct tap_regex_node *n = &nodes[number[i]];

		if (skip(c, i) != i)
			continue;
		n->op = ops[s->op];
		n->group = s->group;
		n->last_group = s->last_group;
		n->fork = s->fork;
		if (s->op != OP_ACCEPT && s->op != OP_FAIL)
			n->next = number[skip(c, s->next)];
		if (s->op == OP_FORK)
			n->other = number[skip(c, s->other)];
	}
	return nodes;
}

/* ---- all tables in one block ---- */

struct tables {
	struct tap_regex sizes;
	struct numbering *forward, *backward, *rows;
	struct tap_regex_node *nodes;
};

/* SIZE bytes of the block; AT moves past them. */
static void *place(char **at, u64 size)
{
	void *to = *at;

	*at += (size + 7) & ~(u64)7;
	return to;
}

static void gather_forward(struct tap_regex *re, const struct compiler *c, const struct numbering *n,
			   char **at)
{
	u8 *classes = place(at, sizeof(c->classes)), *at_end = place(at, n->count);
	u16 *next = place(at, (u64)n->count * n->columns * sizeof(*next));
	const struct known *k;

	re->classes = classes;
	re->at_end = at_end;
	re->next = next;
	__builtin_memcpy(classes, c->classes, sizeof(c->classes));
	for (k = n->first; k; k = k->after) {
		at_end[k->number] = k->flag;
		__builtin_memcpy(next + k->number * n->columns, k->cells, n->columns * sizeof(*next));
	}
}

static void gather_backward(struct tap_regex *re, const struct tables *t, char **at)
{
	const struct numbering *n = t->backward;
	u16 *back = place(at, (u64)n->count * n->columns * sizeof(*back));
	u16 *rows = place(at, n->count * sizeof(*rows));
	u8 *begins = place(at, n->count);
	u8 *choices = place(at, (u64)re->choice_rows * re->choice_size);
	struct tap_regex_node *nodes = place(at, re->node_count * sizeof(*nodes));
	const struct known *k;

	re->back = back;
	re->rows = rows;
	re->begins = begins;
	re->choices = choices;
	re->nodes = nodes;
	for (k = n->first; k; k = k->after) {
		begins[k->number] = k->flag;
		rows[k->number] = k->row;
		__builtin_memcpy(back + k->number * n->columns, k->cells, n->columns * sizeof(*back));
	}
	for (k = t->rows->first; k; k = k->after)
		__builtin_memcpy(choices + k->number * re->choice_size, k->key, re->choice_size);
	__builtin_memcpy(nodes, t->nodes, re->node_count * sizeof(*nodes));
}

static struct tap_regex *gather(struct compiler *c, const struct tables *t)
{
	const struct tap_regex *s = &t->sizes;
	u64 size = sizeof(*s) + sizeof(c->classes) + s->states + (u64)s->states * s->columns * sizeof(u16) +
		   (u64)s->back_states * (s->back_columns * sizeof(u16) + sizeof(u16) + 1) +
		   (u64)s->choice_rows * s->choice_size + (u64)s->node_count * sizeof(*t->nodes) + 8 * 8;
	struct tap_regex *re = tap_alloc(size);
	char *at;

	if (!re)
		return fail(c, "out of memory");
	at = (char *)(re + 1);
	*re = *s;
	gather_forward(re, c, t->forward, &at);
	if (t->backward)
		gather_backward(re, t, &at);
	return re;
}

static struct tap_regex *compile(struct compiler *c, bool groups)
{
	struct tables t = { 0 };
	struct node *tree = tap_regex_parse(c);

	if (!tree || !tap_regex_build(c, tree))
		return NULL;
	t.forward = tap_regex_forward(c, &t.sizes);
	if (!t.forward)
		return NULL;
	t.sizes.columns = c->columns;
	t.sizes.groups = c->groups;
	if (groups) {
		t.backward = tap_regex_backward(c, &t.sizes, &t.rows);
		t.nodes = make_nodes(c, &t.sizes.node_count);
		if (!t.backward || !t.nodes)
			return NULL;
	}
	return gather(c, &t);
}

struct tap_regex *tap_regex_compile(const char *pattern, u32 size, bool groups,
				    struct tap_regex_error *error)
{
	struct compiler c = { .text = pattern, .size = size, .error = error, .groups = 1 };
	struct tap_regex *re = compile(&c, groups);
	struct block *b, *next;

	for (b = c.blocks; b; b = next) {
		next = b->next;
		tap_free(b);
	}
	return re;
}

void tap_regex_free(struct tap_regex *re)
{
	tap_free(re);
}
