/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's table of links to other files; for internal use. */
#ifndef TAPC_DEBUGINFO_PROGRAM_PLT_H
#define TAPC_DEBUGINFO_PROGRAM_PLT_H

#include "image.h"

/* The function whose address a relocation writes to ADDRESS; NULL: no relocation does. */
const char *program_slot(struct debuginfo *d, uint64_t address);
/* The base that i386 code uses for offsets; 0: the program has none. */
uint64_t program_offset_table(struct debuginfo *d);

#endif
