/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the names collected by all threads. */
#ifndef TAPC_DEBUGINFO_DWARF_MERGE_H
#define TAPC_DEBUGINFO_DWARF_MERGE_H

#include "harvest.h"

/* Merge the N harvests into X. */
void names_merge(struct debuginfo *d, const struct dwarf_sections *s, const struct harvest *harvests, size_t n,
		 struct dwarf_names *x);

#endif
