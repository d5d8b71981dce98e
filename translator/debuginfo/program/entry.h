/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function is entered, and where a breakpoint can be. */
#ifndef TAPC_DEBUGINFO_PROGRAM_ENTRY_H
#define TAPC_DEBUGINFO_PROGRAM_ENTRY_H

#include "program.h"

/* Closes what program_return_obstacle() opened. Call it before program_close(). */
void program_entry_close(struct debuginfo *d);

#define PROGRAM_NOT_CALLED "is not called but jumped to: it has no return address that a return probe could replace"
/* Why a return probe of the function at ADDRESS would break the program, to follow "'NAME' "; NULL: it would not. */
const char *program_return_obstacle(struct debuginfo *d, uint64_t address);

/* The bytes from the function's entry ADDRESS to the instruction where a breakpoint costs least (arch.h, pad), or is
 * hit once in a call (returns.h, program_stack_check). */
uint8_t program_pad(struct debuginfo *d, uint64_t address);
/* The bytes from the static marker at ADDRESS to its second nop (arch.h); 0: it has none. */
uint8_t program_second_nop(struct debuginfo *d, uint64_t address);
/* Why the kernel cannot place a breakpoint at ADDRESS; NULL: it can, or this is not known. */
const char *program_unprobed(struct debuginfo *d, uint64_t address);

#endif
