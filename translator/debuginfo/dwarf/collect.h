/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of units. */
#ifndef TAPC_DEBUGINFO_DWARF_COLLECT_H
#define TAPC_DEBUGINFO_DWARF_COLLECT_H

#include "names.h"

/* collect.c: build X from the units that begin between FROM and TO. */
struct names_part {
	uint64_t from, to;
};
bool names_collect(struct debuginfo *d, const struct names_part *parts, size_t n, struct dwarf_names *x);

#endif
