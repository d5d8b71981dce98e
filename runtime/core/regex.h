/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions for =~: POSIX extended ones, compiled by the translator into tables, matched in
 * one or two passes over the text without recursion.
 *
 * Syntax: . [...] [^...] with ranges, [:classes:], [=c=], [.c.]; * + ? {m} {m,} {,n} {m,n}; | ( ) ^ $;
 * \ before a character that is not a letter or digit takes it literally; \w \W \s \S as egrep has
 * them, and \a \f \n \r \t \v. Not supported, with a message: \1 ... \9, \b \B \< \>, other letters.
 * Bytes, not characters. The leftmost match counts, of those the longest, and subexpressions as POSIX
 * says: from the left, each as long as possible, an outer one before those in it; in a repetition the
 * last turn's, and what that turn did not match has not matched.
 *
 * Pass 1, for yes or no: a DFA from the left that stops at the first certainty. Pass 2, when the host
 * wants groups: a DFA from the right whose states also know, for each fork of the expression, which
 * branch is the better one there; it leaves a state at each byte; then a walk from the left follows the
 * branches and notes the groups. */
#ifndef TAP_CORE_REGEX_H
#define TAP_CORE_REGEX_H

#include "tap_script.h"

enum {
	TAP_MOST_GROUPS = 32,		/* with the whole as group 0 */
	TAP_REGEX_MOST_NODES = 4096,	/* of the expression with its repetitions written out */
	TAP_REGEX_MOST_CELLS = 1 << 17,	/* of one table: states times columns */
};

/* All constant data without pointers into itself; the translator prints it as C. */
struct tap_regex {
	const u8 *classes;		/* [256] byte -> column */
	u32 columns;
	u32 groups;			/* with the whole: ngroups() */

	/* From the left: next[state * columns + column]. Two states are known by number. */
	const u16 *next;		/* [states * columns] */
	u32 states, start;
	const u8 *at_end;		/* [states] 1: a match, if the text ends here */

	/* From the right; without groups all NULL and 0. */
	const u16 *back;		/* [back_states * back_columns] */
	u32 back_states;
	u32 back_columns;		/* columns, or with ^ twice as many: the others for byte 0 */
	u32 back_start;			/* behind the last byte */
	u32 back_start_empty;		/* the same of an empty text */
	const u8 *begins;		/* [back_states] 1: a match begins here */
	const u16 *rows;		/* [back_states] the row of choices */
	const u8 *choices;		/* [choice_rows * choice_size] bit f: the second branch of fork f */
	u32 choice_rows, choice_size;
	const struct tap_regex_node *nodes;	/* the first is where to start */
	u32 node_count;
};

enum { TAP_REGEX_FAILED = 0, TAP_REGEX_MATCHED = 1 };	/* states from the left */

struct tap_regex_node {
	u8 op;				/* TAP_NODE_... */
	u8 group, last_group;		/* OPEN: groups group + 1 ... last_group lie within, forget them */
	u16 fork;			/* FORK: its bit in a row of choices */
	u16 next, other;		/* other: FORK's second branch */
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
static inline u32 tap_regex_scratch(u32 size)
{
	return (size + 1) * (u32)sizeof(u16) + 16;
}

/* ---- compiling: user space only, regex_compile.c ---- */

struct tap_regex_error {
	u32 position;			/* in the pattern */
	const char *text;		/* "unmatched (" */
};
/* GROUPS: also make the tables for matched() and ngroups(). NULL with *ERROR filled in. All of the
 * result is one piece of memory. Compile with groups if the script uses either function anywhere: the
 * last =~ may have been any of them. */
struct tap_regex *tap_regex_compile(const char *pattern, u32 size, bool groups,
				    struct tap_regex_error *error);
void tap_regex_free(struct tap_regex *re);

#endif
