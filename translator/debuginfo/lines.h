/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which line of its sources each place of an image is of. */
#ifndef TAPC_DEBUGINFO_LINES_H
#define TAPC_DEBUGINFO_LINES_H

#include "debuginfo.h"

/* From this place on, up to the next one's. */
struct source_line {
	int64_t offset;			/* kernel: from TAP_ANCHOR; module: into .text */
	const char *file;		/* as the compiler was told it; equal ones are mostly one text */
	uint32_t line;			/* 0: nothing is known from here on */
};

struct source_lines {
	struct source_line *list;	/* sorted by offset, none twice; to be freed */
	size_t n;
};

/* All that DWARF tells of D's code. */
enum debuginfo_answer debuginfo_lines(struct debuginfo *d, struct source_lines *lines);

#endif
