/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that an IFUNC may resolve to. */
#ifndef TAPC_DEBUGINFO_PROGRAM_CHOICE_H
#define TAPC_DEBUGINFO_PROGRAM_CHOICE_H

#include <elfutils/libdw.h>

#include "image.h"

/* Append the functions that CHOOSER may return to FOUND; returns their number. OUTSIDE: it may also
 * return a function of the vDSO, which is not in a file. */
size_t program_choices(struct debuginfo *d, const struct symbol *chooser, struct symbols *found, bool *outside);

struct choosing {
	struct debuginfo *d;
	const struct symbol *chooser;
	struct symbols *found;
	size_t before;			/* number of symbols in FOUND before */
	bool is_fixed;
	Elf *elf;			/* NULL: not opened yet */
	Dwarf_CFI *frames;
	bool outside;
};

/* Called by the reader of an architecture's code if the code computes ADDRESS, or if it loads
 * the word at ADDRESS. */
void choice_of_address(struct choosing *c, uint64_t address);
void choice_of_word(struct choosing *c, uint64_t address);

#endif
