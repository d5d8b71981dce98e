/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DIEs outside of .debug_info of the file itself. */
#ifndef TAPC_DEBUGINFO_DWARF_OTHERS_H
#define TAPC_DEBUGINFO_DWARF_OTHERS_H

#include "harvest.h"

/* Add names from outside of .debug_info to H; uses libdw, and is slow. */
void others_harvest(struct debuginfo *d, struct harvest *h, bool split_units);

#endif
