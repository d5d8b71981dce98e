/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions for =~: POSIX extended ones, compiled by the translator into tables, matched in one or two
 * passes over the text without recursion.
 *
 * Syntax: . [...] [^...] with ranges, [:classes:], [=c=], [.c.]; * + ? {m} {m,} {,n} {m,n}; | ( ) ^ $; \ before a
 * character other than a letter or digit makes it literal; \w \W \s \S as in egrep, and \a \f \n \r \t \v. Not
 * supported, with a message: \1 ... \9, \b \B \< \>, other letters. Works on bytes, not characters. The leftmost
 * match is used, of these the longest, and subexpressions match as POSIX specifies: from the left, each as long as
 * possible, an outer one before those inside it; in a repetition the last iteration counts, and what that iteration
 * did not match is unset.
 *
 * Pass 1, for yes or no: a DFA from the left that stops as soon as the result is certain. Pass 2, if the host wants
 * groups: a DFA from the right whose states also record, for each fork of the expression, which branch is the
 * better one there; it stores a state for each byte; then a walk from the left follows the branches and records the
 * groups. */
#ifndef TAP_CORE_REGEX_H
#define TAP_CORE_REGEX_H

#include "tap_script.h"

enum {
	TAP_MOST_GROUPS = 32,		/* including the whole match as group 0 */
	TAP_REGEX_MOST_NODES = 4096,	/* of the expression with its repetitions expanded */
	TAP_REGEX_MOST_CELLS = 1 << 17,	/* of one table: states times columns */
};

/* Constant data without pointers into itself; the translator prints it as C. */
struct tap_regex {
	const u8 *classes;		/* [256] byte -> column */
	u32 columns;
	u32 groups;			/* including the whole match: ngroups() */

	/* From the left: next[state * columns + column]. Two states have fixed numbers. */
	const u16 *next;		/* [states * columns] */
	u32 states, start;
	const u8 *at_end;		/* [states] 1: a match if the text ends here */

	/* From the right; all NULL and 0 without groups. */
	const u16 *back;		/* [back_states * back_columns] */
	u32 back_states;
	u32 back_columns;		/* columns, or twice as many with ^: the second half is for byte 0 */
	u32 back_start;			/* after the last byte */
	u32 back_start_empty;		/* the same for an empty text */
	const u8 *begins;		/* [back_states] 1: a match begins here */
	const u16 *rows;		/* [back_states] the row in choices */
	const u8 *choices;		/* [choice_rows * choice_size] bit f: the second branch of fork f */
	u32 choice_rows, choice_size;
	const struct tap_regex_node *nodes;	/* the walk starts at the first */
	u32 node_count;
};

enum { TAP_REGEX_FAILED = 0, TAP_REGEX_MATCHED = 1 };	/* states of the DFA from the left */

struct tap_regex_node {
	u8 op;				/* TAP_NODE_... */
	u8 group, last_group;		/* OPEN: groups group + 1 ... last_group are inside it and are reset */
	u16 fork;			/* FORK: its bit in a row of choices */
	u16 next, other;		/* other: FORK's second branch */
};
enum { TAP_NODE_ACCEPT, TAP_NODE_BYTE, TAP_NODE_FORK, TAP_NODE_OPEN, TAP_NODE_CLOSE };

/* The result of =~, one per context if the host wants it. */
struct tap_groups {
	bool matched;			/* the last =~ of this handler matched */
	u32 count;
	char *text;			/* owned by the host: limits.string bytes */
	u32 size;
	struct { u32 start, end; } at[TAP_MOST_GROUPS];	/* start > end: not matched */
};

/* matched(n) and ngroups(): errors as in SystemTap. */
struct tap_string tap_matched(struct tap_context *c, s64 n);
s64 tap_ngroups(struct tap_context *c);

/* Maximum bytes of scratch that tap_regex_match takes with groups, for texts up to SIZE bytes. */
static inline u32 tap_regex_scratch(u32 size)
{
	return (size + 1) * (u32)sizeof(u16) + 16;
}

#endif
