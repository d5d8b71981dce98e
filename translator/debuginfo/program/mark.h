/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static markers of programs (sys/sdt.h). */
#ifndef TAPC_DEBUGINFO_PROGRAM_MARK_H
#define TAPC_DEBUGINFO_PROGRAM_MARK_H

#include "program.h"

/* An argument of a static marker (sys/sdt.h): "-4@%edi". */
struct program_argument {
	const char *text;
	uint8_t size;			/* bytes */
	bool is_signed, is_float;
	struct location location;	/* IS_VALUE: extended; IN_MEMORY: SIZE bytes are there */
};

struct program_mark {
	const char *provider, *name;
	uint64_t address, offset;	/* offset: in the file */
	uint64_t semaphore;		/* offset in the file of its two-byte use counter; 0: it has none */
	VEC(struct program_argument) arguments;
};
struct program_marks { VEC(struct program_mark) list; };

/* Markers that match both patterns (PROVIDER may be NULL), in file order. */
enum debuginfo_answer program_marks(struct debuginfo *d, const char *provider, const char *pattern,
				    struct program_marks *found);

#endif
