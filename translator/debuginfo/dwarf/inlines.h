/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions are inlined around each call of an image. */
#ifndef TAPC_DEBUGINFO_DWARF_INLINES_H
#define TAPC_DEBUGINFO_DWARF_INLINES_H

#include "debuginfo/debuginfo.h"

struct source_inlined {
	const char *function;		/* its name */
	const char *file;		/* of its call, as passed to the compiler */
	uint32_t line;			/* of its call; 0: not known */
	uint32_t outer;			/* 1 + number of the inlined function that contains the call; 0: none does */
};

struct source_call {
	int64_t offset;			/* that it returns to; kernel: from TAP_ANCHOR; module: in .text */
	uint32_t inlined;		/* number of the innermost inlined function that contains it */
};

/* The caller frees both lists. */
struct source_inlines {
	struct source_inlined *list;	/* outer ones before those within them */
	size_t n;
	struct source_call *calls;	/* sorted by offset, which is unique */
	size_t call_count;
};

/* Read the calls in inlined code that DWARF describes (DW_TAG_call_site, and GNU's before DWARF 5). Damaged units, and
 * those in other files, have none. */
enum debuginfo_answer debuginfo_inlines(struct debuginfo *d, struct source_inlines *inlines);

#endif
