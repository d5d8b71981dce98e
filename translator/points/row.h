/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as data. What the runtime needs for the places of a row is a struct of tap_script.h. The family fills one in and
 * describes its members, once, as a row_layout; emit/row.c writes it as C.
 *
 *	static const struct row_layout layout = ROW_LAYOUT(tap_timer,
 *		ROW_MEMBER(tap_timer, period), ROW_MEMBER(tap_timer, jiffies));
 *
 * Members that are 0 are not written, and those that are always 0 need not be described. */
#ifndef TAPC_ROW_H
#define TAPC_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "tap_script.h"

enum row_kind {
	ROW_IS_BOOL, ROW_IS_U8, ROW_IS_U16, ROW_IS_U32, ROW_IS_S32, ROW_IS_U64, ROW_IS_S64,
	ROW_IS_HEX,			/* a u64 that is written in hexadecimal */
	ROW_IS_STRING,			/* const char *; NULL is not written */
	ROW_IS_BYTES,			/* const u8 *: as many as the u32 at COUNT */
	ROW_IS_STRUCT,			/* a struct with LAYOUT */
	ROW_IS_POINTER,			/* to a struct with LAYOUT */
	ROW_IS_TABLE,			/* to as many structs with LAYOUT as the u32 at COUNT */
	ROW_IS_SHARED,			/* to a struct with LAYOUT that is written once, however many point to it */
	ROW_IS_FUNCTION,		/* struct row_function *: a function that is written before the row */
	ROW_IS_SYMBOL,			/* the address of SYMBOL in the runtime, in all rows: the data has no pointer */
};

struct row_member {
	const char *name;		/* NULL ends the list */
	enum row_kind kind;
	size_t offset, count;		/* in the struct */
	const struct row_layout *layout;
	const char *symbol, *type;	/* SYMBOL: "tap_perf_threads", a struct of this type */
};

/* The C text before and after the function's name. */
struct row_function {
	const char *before, *after;
};

struct row_layout {
	const char *type;		/* "tap_timer" */
	size_t size;
	const struct row_member *members;
};

#define ROW_LAYOUT(of, ...) \
	{ .type = #of, .size = sizeof(struct of), \
	  .members = (const struct row_member[]){ __VA_ARGS__, { .name = NULL } } }

#define ROW_KIND(value) \
	_Generic((value), bool: ROW_IS_BOOL, u8: ROW_IS_U8, u16: ROW_IS_U16, u32: ROW_IS_U32, s32: ROW_IS_S32, \
		 u64: ROW_IS_U64, s64: ROW_IS_S64, const char *: ROW_IS_STRING)
#define ROW_OTHER(of, member, is) .name = #member, .kind = (is), .offset = offsetof(struct of, member)

/* A number, a bool or a string. */
#define ROW_MEMBER(of, member) { ROW_OTHER(of, member, ROW_KIND(((struct of *)0)->member)) }
#define ROW_HEX(of, member) { ROW_OTHER(of, member, ROW_IS_HEX) }
#define ROW_BYTES(of, member, count_member) \
	{ ROW_OTHER(of, member, ROW_IS_BYTES), .count = offsetof(struct of, count_member) }
#define ROW_STRUCT(of, member, its_layout) { ROW_OTHER(of, member, ROW_IS_STRUCT), .layout = (its_layout) }
#define ROW_POINTER(of, member, its_layout) { ROW_OTHER(of, member, ROW_IS_POINTER), .layout = (its_layout) }
#define ROW_SHARED(of, member, its_layout) { ROW_OTHER(of, member, ROW_IS_SHARED), .layout = (its_layout) }
#define ROW_TABLE(of, member, count_member, its_layout) \
	{ ROW_OTHER(of, member, ROW_IS_TABLE), .count = offsetof(struct of, count_member), .layout = (its_layout) }
#define ROW_FUNCTION(of, member) { ROW_OTHER(of, member, ROW_IS_FUNCTION) }
#define ROW_SYMBOL(of, member, its_symbol, its_type) \
	{ ROW_OTHER(of, member, ROW_IS_SYMBOL), .symbol = #its_symbol, .type = #its_type }

#endif
