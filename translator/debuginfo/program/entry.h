/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function is entered, and where a breakpoint can be. */
#ifndef TAPC_DEBUGINFO_PROGRAM_ENTRY_H
#define TAPC_DEBUGINFO_PROGRAM_ENTRY_H

#include "program.h"

/* Closes what program_return_obstacle() opened. Call it before program_close(). */
void program_entry_close(struct debuginfo *d);

/* Is the code at ADDRESS Go's? Go's linker marks it with two symbols; without them all code of a Go program may be. */
bool program_is_go(struct debuginfo *d, uint64_t address);

#define PROGRAM_NOT_CALLED "is not called but jumped to: it has no return address that a return probe could replace"
#define PROGRAM_IS_GO \
	"is a function of Go, whose runtime ends the program when it meets a replaced return address: probe its entry, or " \
	"with .statement(ADDRESS) the instructions at which it returns"
/* Why a return probe of the function at ADDRESS would break the program, to follow "'NAME' "; NULL: it would not. */
const char *program_return_obstacle(struct debuginfo *d, uint64_t address);

/* The bytes from the function's entry ADDRESS to the instruction where a breakpoint costs least (arch.h, pad). */
uint8_t program_pad(struct debuginfo *d, uint64_t address);
/* The bytes from the static marker at ADDRESS to its second nop (arch.h); 0: it has none. */
uint8_t program_second_nop(struct debuginfo *d, uint64_t address);
/* Why the kernel cannot place a breakpoint at ADDRESS; NULL: it can, or this is not known. */
const char *program_unprobed(struct debuginfo *d, uint64_t address);

#endif
