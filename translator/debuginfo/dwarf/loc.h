/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations described by DWARF. */
#ifndef TAPC_DEBUGINFO_DWARF_LOC_H
#define TAPC_DEBUGINFO_DWARF_LOC_H

#include "dwarf.h"

/* The context in which a variable is located: at PC in the function FUNCTION, which has the frame base. */
struct dwarf_context {
	struct debuginfo *d;
	Dwarf_Addr pc;
	bool at_entry;
	Dwarf_Die *function;		/* NULL: a global */
	int depth;			/* nesting of locations that refer to others */
};
struct location dwarf_location(const struct dwarf_context *c, Dwarf_Die *die, const struct debug_type *t);

#endif
