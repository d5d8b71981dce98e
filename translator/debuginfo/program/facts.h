/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program is, apart from its code. */
#ifndef TAPC_DEBUGINFO_PROGRAM_FACTS_H
#define TAPC_DEBUGINFO_PROGRAM_FACTS_H

#include "program.h"

struct program_facts {
	const char *path;		/* including the sysroot */
	bool is_library;		/* no program interpreter and no entry: only mapped by other programs */
	bool is_fixed;			/* ET_EXEC: addresses are the same at run time */
	const char *debug_path;		/* the file with its DWARF; NULL: it has no DWARF */
	uint64_t tls_size, tls_align;	/* thread-local storage; 0: none */
};
enum debuginfo_answer program_facts(struct debuginfo *d, struct program_facts *facts);

#endif
