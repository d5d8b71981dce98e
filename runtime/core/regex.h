/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions for =~: POSIX extended ones, compiled by the translator into tables, matched in
 * one or two passes over the text without recursion.
 *
 * Syntax: . [...] [^...] with ranges, [:classes:], [=c=], [.c.]; * + ? {m} {m,} {,n} {m,n}; | ( ) ^ $;
 * \ before a character that is not a letter or digit takes it literally; \w \W \s \S as egrep has
 * them, and \a \f \n \r \t \v. Not supported, with a message: \1 ... \9, \b \B \< \>, other letters.
 * Bytes, not characters. The leftmost match counts, of those the longest, and subexpressions as POSIX
 * says: from the left, each as long as possible, an outer one before those in it; in a repetition the
 * last turn's.
 *
 * Pass 1, for yes or no: a DFA from the left (struct tap_regex_search) that stops at the first
 * certainty. Pass 2, when the host wants groups: a DFA from the right whose states also know, for each
 * fork of the expression, which branch is the better one there; it leaves a state at each byte; then a
 * walk from the left follows the branches and notes the groups. */
#ifndef TAP_CORE_REGEX_H
#define TAP_CORE_REGEX_H

#include "tap_script.h"

enum {
	TAP_MOST_GROUPS = 32,		/* with the whole as group 0 */
	TAP_REGEX_MOST_STATES = 4096,
	TAP_REGEX_MOST_NODES = 4096,
};

/* All constant data; the translator prints it as C. Nothing points into itself, all by index. */
struct tap_regex {
	const u8 *classes;		/* [256] byte -> column */
	u32 columns;
	u32 groups;			/* with the whole: ngroups() */

	/* From the left. next[state * columns + column]; state 0 is dead, start is where to begin. */
	const u16 *next;
	u32 states, start;
	const u8 *accepts;		/* [states] TAP_REGEX_... */

	/* From the right; NULL without TAP_REGEX_GROUPS. back[state * back_columns + column], with
	 * columns more for the byte at the text's beginning, if that makes a difference. */
	const u16 *back;
	u32 back_states, back_columns;
	u32 back_start;			/* behind the last byte */
	u32 back_start_empty;		/* the same of an empty text */
	const u16 *back_row;		/* [back_states] the row of choices; 0xffff: no match begins here */
	const u8 *choices;		/* rows of choice_size bytes, bit f: fork f takes its second branch */
	u32 choice_size, choice_rows;
	const struct tap_regex_node *nodes;
	u32 node_count;			/* node 0 is the beginning */
};

enum { TAP_REGEX_ACCEPT = 1, TAP_REGEX_ACCEPT_AT_END = 2 };

struct tap_regex_node {
	u8 op;				/* TAP_NODE_... */
	u8 group, last_group;		/* OPEN: forget groups group + 1 ... last_group, too */
	u16 fork;			/* FORK: its bit in a row of choices */
	u16 next, other;
};
enum { TAP_NODE_ACCEPT, TAP_NODE_BYTE, TAP_NODE_FORK, TAP_NODE_OPEN, TAP_NODE_CLOSE };

/* What =~ left behind, one in a context where the host wants it. */
struct tap_groups {
	bool matched;			/* the last =~ of this handler did */
	u32 count;
	char *text;			/* the host's: limits.string bytes */
	u32 size;
	struct { u32 start, end; } at[TAP_MOST_GROUPS];	/* start > end: not matched */
};

/* matched(n) and ngroups(): errors as SystemTap's. */
struct tap_string tap_matched(struct tap_context *c, s64 n);
s64 tap_ngroups(struct tap_context *c);

/* Bytes of scratch that tap_regex_match takes at most with groups, for texts up to SIZE bytes. */
static inline u32 tap_regex_scratch(u32 size) { return (size + 1) * 2 + 16; }

/* ---- compiling: user space only, regex_compile.c ---- */

struct tap_regex_error {
	u32 position;			/* in the pattern */
	const char *text;		/* "unmatched (" */
};
/* GROUPS: also make the tables for matched() and ngroups(). NULL with *ERROR filled in. */
struct tap_regex *tap_regex_compile(const char *pattern, u32 size, bool groups,
				    struct tap_regex_error *error);
void tap_regex_free(struct tap_regex *re);

#endif
