/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of all threads, put in order. */
#ifndef TAPC_DEBUGINFO_DWARF_MERGE_H
#define TAPC_DEBUGINFO_DWARF_MERGE_H

#include "harvest.h"

/* Put the N harvests in order, to X. */
void names_merge(struct debuginfo *d, const struct dwarf_sections *s, const struct harvest *harvests, size_t n,
		 struct dwarf_names *x);

#endif
