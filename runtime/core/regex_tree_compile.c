/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a regular expression. It has no repetition of an expression that can match the empty string: x* with
 * such an x becomes "iterations that match something, or one empty iteration, or none", so that the states built
 * from it have no cycle that consumes nothing. */
#include "core/regex_shared_compile.h"

enum { MOST_TREE = 1 << 18 };

struct node *tap_regex_node(struct compiler *c, enum kind kind)
{
	struct node *n;

	if (c->nodes++ == MOST_TREE)
		return fail(c, "the expression is too large");
	n = tap_regex_make(c, sizeof(*n));
	if (n) {
		n->kind = kind;
		n->empty = kind == EMPTY || kind == BOL || kind == EOL;
	}
	return n;
}

static struct node *empty_node(struct compiler *c)
{
	return tap_regex_node(c, EMPTY);
}

/* A FAIL operand makes the whole concatenation FAIL. */
struct node *tap_regex_cat(struct compiler *c, struct node *left, struct node *right)
{
	struct node *n;

	if (!left || !right)
		return NULL;
	if (left->kind == FAIL || right->kind == EMPTY)
		return left;
	if (right->kind == FAIL || left->kind == EMPTY)
		return right;
	n = tap_regex_node(c, CAT);
	if (n) {
		n->left = left;
		n->right = right;
		n->empty = left->empty && right->empty;
		n->choice = left->choice || right->choice;
	}
	return n;
}

struct node *tap_regex_alt(struct compiler *c, struct node *left, struct node *right)
{
	struct node *n;

	if (!left || !right)
		return NULL;
	if (left->kind == FAIL)
		return right;
	if (right->kind == FAIL)
		return left;
	n = tap_regex_node(c, ALT);
	if (n) {
		n->left = left;
		n->right = right;
		n->empty = left->empty || right->empty;
		n->choice = true;
	}
	return n;
}

struct node *tap_regex_group(struct compiler *c, struct node *inner, u8 group, u8 last)
{
	struct node *n;

	if (!inner || inner->kind == FAIL)
		return inner;
	n = tap_regex_node(c, GROUP);
	if (n) {
		n->left = inner;
		n->group = group;
		n->last_group = last;
		n->empty = inner->empty;
		n->choice = inner->choice;
	}
	return n;
}

static struct node *hollow(struct compiler *c, struct node *n);
static struct node *solid(struct compiler *c, struct node *n);

static struct node *hollow_part(struct compiler *c, struct node *n)
{
	switch (n->kind) {
	case CAT:
		return tap_regex_cat(c, hollow(c, n->left), hollow(c, n->right));
	case ALT:
		return tap_regex_alt(c, hollow(c, n->left), hollow(c, n->right));
	case GROUP:
		return tap_regex_group(c, hollow(c, n->left), n->group, n->last_group);
	case STAR:
		return empty_node(c);
	}
	return n;
}

/* The part of N that matches the empty string, with its groups. */
static struct node *hollow(struct compiler *c, struct node *n)
{
	struct node *result = NULL;

	if (!n || !n->empty)
		return n ? tap_regex_node(c, FAIL) : NULL;
	if (deeper(c))
		result = hollow_part(c, n);
	c->depth--;
	return result;
}

static struct node *solid_part(struct compiler *c, struct node *n)
{
	switch (n->kind) {
	case CAT:
		return tap_regex_alt(c, tap_regex_cat(c, solid(c, n->left), n->right),
			      tap_regex_cat(c, hollow(c, n->left), solid(c, n->right)));
	case ALT:
		return tap_regex_alt(c, solid(c, n->left), solid(c, n->right));
	case GROUP:
		return tap_regex_group(c, solid(c, n->left), n->group, n->last_group);
	case STAR:
		return tap_regex_cat(c, n->left, n);
	}
	return tap_regex_node(c, FAIL);
}

/* The part of N that matches at least one byte. */
static struct node *solid(struct compiler *c, struct node *n)
{
	struct node *result = NULL;

	if (!n || !n->empty)
		return n;
	if (deeper(c))
		result = solid_part(c, n);
	c->depth--;
	return result;
}

/* Iterations of a body that always matches a byte. */
static struct node *turns_of(struct compiler *c, struct node *body)
{
	struct node *n;

	if (!body || body->kind == FAIL)
		return body ? empty_node(c) : NULL;
	n = tap_regex_node(c, STAR);
	if (n) {
		n->left = body;
		n->empty = true;
		n->choice = true;
	}
	return n;
}

struct node *tap_regex_plus(struct compiler *c, struct node *n)
{
	struct node *some = solid(c, n);

	if (!some)
		return NULL;
	some = tap_regex_cat(c, some, turns_of(c, some));
	return n->empty ? tap_regex_alt(c, some, hollow(c, n)) : some;
}

struct node *tap_regex_star(struct compiler *c, struct node *n)
{
	if (!n)
		return NULL;
	if (!n->empty)
		return turns_of(c, n);
	return tap_regex_alt(c, tap_regex_plus(c, n), empty_node(c));
}

/* Optional iterations must match something. */
struct node *tap_regex_repeat(struct compiler *c, struct node *n, s32 least, s32 most)
{
	struct node *rest, *turn;
	s32 i;

	if (!n)
		return NULL;
	if (most == 0)
		return empty_node(c);
	if (most < 0) {
		rest = least ? tap_regex_plus(c, n) : tap_regex_star(c, n);
		i = least ? 1 : 0;
	} else {
		rest = empty_node(c);
		for (i = most; i > least; i--) {
			turn = i == 1 ? n : solid(c, n);
			rest = tap_regex_alt(c, tap_regex_cat(c, turn, rest), empty_node(c));
		}
		i = 0;
	}
	for (; i < least && rest; i++)
		rest = tap_regex_cat(c, n, rest);
	return rest;
}


struct node *tap_regex_bytes(struct compiler *c, const struct set *set)
{
	struct node *n = tap_regex_node(c, BYTES);

	if (n)
		n->set = *set;
	return n;
}
