/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function is entered, and where a breakpoint can be. */
#ifndef TAPC_DEBUGINFO_PROGRAM_ENTRY_H
#define TAPC_DEBUGINFO_PROGRAM_ENTRY_H

#include "program.h"

/* Closes what program_is_called() opened. Call it before program_close(). */
void program_entry_close(struct debuginfo *d);

/* Is the function at ADDRESS entered by a call, so that it has a return address that can be
 * replaced? False for the program's entry and for code that is reached by a jump. */
bool program_is_called(struct debuginfo *d, uint64_t address);

/* The bytes from the function's entry ADDRESS to the instruction where a breakpoint costs least (arch.h, pad). */
uint8_t program_pad(struct debuginfo *d, uint64_t address);
/* Why the kernel cannot place a breakpoint at ADDRESS; NULL: it can, or this is not known. */
const char *program_unprobed(struct debuginfo *d, uint64_t address);

#endif
