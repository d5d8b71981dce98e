/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a function is entered by a call; for internal use. */
#ifndef TAPC_DEBUGINFO_PROGRAM_ENTRY_H
#define TAPC_DEBUGINFO_PROGRAM_ENTRY_H

#include "image.h"

/* Closes what program_is_called() opened. Call it before program_close(). */
void program_entry_close(struct debuginfo *d);

#endif
