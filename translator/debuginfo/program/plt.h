/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's table of links to other files. */
#ifndef TAPC_DEBUGINFO_PROGRAM_PLT_H
#define TAPC_DEBUGINFO_PROGRAM_PLT_H

#include "program.h"

/* The function whose address a relocation writes to ADDRESS; NULL: no relocation does. */
const char *program_slot(struct debuginfo *d, uint64_t address);
/* The base that i386 code uses for offsets; 0: the program has none. */
uint64_t program_offset_table(struct debuginfo *d);

/* An entry for calls into another file. */
struct program_plt {
	const char *name;		/* the function that is called */
	uint64_t address, offset;	/* of the entry; offset: in the file */
};
struct program_plts { VEC(struct program_plt) list; };
enum debuginfo_answer program_plts(struct debuginfo *d, const char *pattern, struct program_plts *found);

#endif
