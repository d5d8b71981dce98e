/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source line of each address of an image. */
#ifndef TAPC_DEBUGINFO_DWARF_LINES_H
#define TAPC_DEBUGINFO_DWARF_LINES_H

#include "debuginfo/debuginfo.h"

/* Valid from this place up to the next entry. */
struct source_line {
	int64_t offset;			/* kernel: from TAP_ANCHOR; module: in .text */
	const char *file;		/* as passed to the compiler; equal names mostly share one string */
	uint32_t line;			/* 0: no line is known from here on */
};

struct source_lines {
	struct source_line *list;	/* sorted by offset, which is unique; the caller frees it */
	size_t n;
};

/* Read all line information that DWARF has of D's code. */
enum debuginfo_answer debuginfo_lines(struct debuginfo *d, struct source_lines *lines);

#endif
