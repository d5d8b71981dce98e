/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the compiler of regular expressions. See regex_compile.c for the whole. */
#ifndef TAP_CORE_REGEX_COMPILE_H
#define TAP_CORE_REGEX_COMPILE_H

#include "core/host.h"
#include "core/regex.h"

enum { MOST_DEPTH = 8192, MOST_STATES = 32768 };

struct block {
	struct block *next;
	u64 used, size;
};

struct set {				/* of bytes */
	u64 bits[4];
};

enum kind { FAIL, EMPTY, BYTES, CAT, ALT, STAR, GROUP, BOL, EOL };

struct node {
	u8 kind;
	u8 group, last_group;
	bool empty;			/* can match nothing */
	bool choice;			/* has a fork in it */
	struct set set;
	struct node *left, *right;
};

/* A part of the expression whose end decides between branches in it. */
struct part {
	u32 parent, level;
};

enum op { OP_ACCEPT, OP_FAIL, OP_BYTES, OP_FORK, OP_OPEN, OP_CLOSE, OP_END, OP_BOL, OP_EOL };

struct state {
	u8 op;
	u8 group, last_group;
	u16 fork;
	u32 next, other;
	u32 part;			/* innermost; END: the one that ends */
	const struct set *set;
};

struct compiler {
	const char *text;
	u32 size, at;
	struct tap_regex_error *error;
	bool failed;
	struct block *blocks;
	u32 groups, depth;
	u32 nodes;			/* of the tree */

	struct state *states;
	u32 state_count, state_room;
	struct part *parts;
	u32 part_count, part_room;
	u32 fork_count;
	u32 levels;			/* deepest part + 1 */
	u32 start;
	u32 *order;			/* states that consume nothing, each behind those it leads to */
	u32 order_count;
	bool has_bol;

	u8 classes[256];
	u8 sample[256];			/* a byte of each class */
	u32 columns;
};

/* Memory lives until the compilation ends; zeroed. NULL, and failed, when there is none. */
void *tap_regex_make(struct compiler *c, u64 size);
/* The first error counts. Always NULL. */
void *tap_regex_fail_at(struct compiler *c, u32 position, const char *text);
static inline void *fail(struct compiler *c, const char *text)
{
	return tap_regex_fail_at(c, c->at, text);
}
/* One level of recursion more, to be undone by c->depth--, also when it says no. */
static inline bool deeper(struct compiler *c)
{
	if (c->depth++ < MOST_DEPTH)
		return true;
	fail(c, "the expression is too large");
	return false;
}

static inline void set_add(struct set *s, u32 byte)
{
	s->bits[byte / 64] |= (u64)1 << byte % 64;
}
static inline bool set_has(const struct set *s, u32 byte)
{
	return s->bits[byte / 64] >> byte % 64 & 1;
}
static inline void set_invert(struct set *s)
{
	u32 i;

	for (i = 0; i < 4; i++)
		s->bits[i] = ~s->bits[i];
}
/* Does a state lead to others without a byte? */
static inline bool leads_on(const struct state *s)
{
	return s->op != OP_BYTES && s->op != OP_ACCEPT && s->op != OP_FAIL;
}

/* regex_tree_compile.c; NULL parts are errors that have been told, and go through */
struct node *tap_regex_bytes(struct compiler *c, const struct set *set);
struct node *tap_regex_node(struct compiler *c, enum kind kind);
struct node *tap_regex_cat(struct compiler *c, struct node *left, struct node *right);
struct node *tap_regex_alt(struct compiler *c, struct node *left, struct node *right);
struct node *tap_regex_group(struct compiler *c, struct node *inner, u8 group, u8 last);
struct node *tap_regex_plus(struct compiler *c, struct node *n);
struct node *tap_regex_star(struct compiler *c, struct node *n);
/* N at least LEAST times, at most MOST times, or without a limit (MOST < 0). */
struct node *tap_regex_repeat(struct compiler *c, struct node *n, s32 least, s32 most);

/* regex_parse_compile.c */
struct node *tap_regex_parse(struct compiler *c);

/* regex_states_compile.c */
bool tap_regex_build(struct compiler *c, const struct node *tree);

/* DFA states, known by a description: a string of bytes. */
struct known {
	struct known *next;		/* with the same hash */
	struct known *after;		/* in order of numbers */
	u32 number, size;
	u8 *key;
	u16 *cells;			/* where each column leads */
	bool flag;			/* at_end, begins */
	u16 row;
};
struct numbering {
	struct compiler *c;
	struct known *heads[1024];
	struct known *first, *last;
	u32 count, most, columns;
};
struct numbering *tap_regex_numbering(struct compiler *c, u32 columns);
/* KEY's state, a new one if it hasn't been seen; NULL after an error. */
struct known *tap_regex_known(struct numbering *n, const u8 *key, u32 size);
/* The same when KEY shall have a state of its own. */
struct known *tap_regex_new(struct numbering *n, const u8 *key, u32 size);

/* regex_forward_compile.c, regex_backward_compile.c: the states, and their start in SIZES */
struct numbering *tap_regex_forward(struct compiler *c, struct tap_regex *sizes);
/* ROWS: the different rows of choices, each a key. */
struct numbering *tap_regex_backward(struct compiler *c, struct tap_regex *sizes, struct numbering **rows);

#endif
