/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an IFUNC may choose. */
#ifndef TAPC_DEBUGINFO_PROGRAM_CHOICE_H
#define TAPC_DEBUGINFO_PROGRAM_CHOICE_H

#include <elfutils/libdw.h>

#include "image.h"

/* What the function CHOOSER may return, added to FOUND; the number of them. OUTSIDE: it also
 * may be a function of the vDSO, which is no file. */
size_t program_choices(struct debuginfo *d, const struct symbol *chooser, struct symbols *found, bool *outside);

struct choosing {
	struct debuginfo *d;
	const struct symbol *chooser;
	struct symbols *found;
	size_t before;			/* in found */
	bool is_fixed;
	Elf *elf;			/* NULL: not yet opened */
	Dwarf_CFI *frames;
	bool outside;
};

/* For the reader of an architecture's code: it makes ADDRESS; it loads the word at ADDRESS. */
void choice_of_address(struct choosing *c, uint64_t address);
void choice_of_word(struct choosing *c, uint64_t address);

#endif
