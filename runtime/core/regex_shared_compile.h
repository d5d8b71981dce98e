/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of the regular expression compiler. See regex_compile.c for an overview. */
#ifndef TAP_CORE_REGEX_SHARED_COMPILE_H
#define TAP_CORE_REGEX_SHARED_COMPILE_H

#include "core/host.h"
#include "core/regex_compile.h"

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
	bool empty;			/* can match the empty string */
	bool choice;			/* contains a fork */
	struct set set;
	struct node *left, *right;
};

/* A part of the expression whose end decides between the branches inside it. */
struct part {
	u32 parent, level;
};

enum op { OP_ACCEPT, OP_FAIL, OP_BYTES, OP_FORK, OP_OPEN, OP_CLOSE, OP_END, OP_BOL, OP_EOL };

struct state {
	u8 op;
	u8 group, last_group;
	u16 fork;
	u32 next, other;
	u32 part;			/* innermost part; END: the part that ends */
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
	u32 *order;			/* states that consume nothing, each after its successors */
	u32 order_count;
	bool has_bol;

	u8 classes[256];
	u8 sample[256];			/* one byte of each class */
	u32 columns;
};

/* Zeroed memory that lives until the compilation ends. NULL, and failed is set, if out of
 * memory. */
void *tap_regex_make(struct compiler *c, u64 size);
/* The first error is kept. Always returns NULL. */
void *tap_regex_fail_at(struct compiler *c, u32 position, const char *text);
static inline void *fail(struct compiler *c, const char *text)
{
	return tap_regex_fail_at(c, c->at, text);
}
/* Enters one more level of recursion. The caller undoes it by c->depth--, even if the result is
 * false. */
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
/* Whether a state leads to others without consuming a byte. */
static inline bool leads_on(const struct state *s)
{
	return s->op != OP_BYTES && s->op != OP_ACCEPT && s->op != OP_FAIL;
}

/* regex_tree_compile.c; a NULL part is an error already reported, and is passed on */
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

/* DFA states, found by a key: a string of bytes. */
struct known {
	struct known *next;		/* with the same hash */
	struct known *after;		/* in numerical order */
	u32 number, size;
	u8 *key;
	u16 *cells;			/* the successor for each column */
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
/* KEY's state, a new one if KEY has not been seen; NULL after an error. */
struct known *tap_regex_known(struct numbering *n, const u8 *key, u32 size);
/* The same, but always a new state. */
struct known *tap_regex_new(struct numbering *n, const u8 *key, u32 size);

/* regex_forward_compile.c, regex_backward_compile.c: the states; the start states are stored in
 * SIZES */
struct numbering *tap_regex_forward(struct compiler *c, struct tap_regex *sizes);
/* ROWS: the distinct rows of choices, each a key. */
struct numbering *tap_regex_backward(struct compiler *c, struct tap_regex *sizes, struct numbering **rows);

#endif
