/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DIEs that are not in .debug_info of the file itself. */
#ifndef TAPC_DEBUGINFO_DWARF_OTHERS_H
#define TAPC_DEBUGINFO_DWARF_OTHERS_H

#include "harvest.h"

/* What is not in .debug_info of the file itself, by libdw and slowly. */
void others_harvest(struct debuginfo *d, struct harvest *h, bool split_units);

#endif
