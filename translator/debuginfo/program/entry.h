/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function is entered by a call. */
#ifndef TAPC_DEBUGINFO_PROGRAM_ENTRY_H
#define TAPC_DEBUGINFO_PROGRAM_ENTRY_H

#include "program.h"

/* Closes what program_is_called() opened. Call it before program_close(). */
void program_entry_close(struct debuginfo *d);

/* Is the function at ADDRESS entered by a call, so that it has a return address that can be
 * replaced? False for the program's entry and for code that is reached by a jump. */
bool program_is_called(struct debuginfo *d, uint64_t address);

#endif
