/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations as DWARF describes them. */
#ifndef TAPC_DEBUGINFO_DWARF_LOC_H
#define TAPC_DEBUGINFO_DWARF_LOC_H

#include "dwarf.h"

/* Where the variable DIE is at PC, in the function FUNCTION (its frame base). */
struct dwarf_context {
	struct debuginfo *d;
	Dwarf_Addr pc;
	bool at_entry;
	Dwarf_Die *function;		/* NULL: a global */
	int depth;			/* of locations that refer to others */
};
struct location dwarf_location(const struct dwarf_context *c, Dwarf_Die *die, const struct debug_type *t);

#endif
