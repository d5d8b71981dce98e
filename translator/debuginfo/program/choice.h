/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an IFUNC may choose. */
#ifndef TAPC_DEBUGINFO_PROGRAM_CHOICE_H
#define TAPC_DEBUGINFO_PROGRAM_CHOICE_H

#include "image.h"

/* What the function CHOOSER may return, added to FOUND; the number of them. OUTSIDE: it also
 * may be a function of the vDSO, which is no file. */
size_t program_choices(struct debuginfo *d, const struct symbol *chooser, struct symbols *found, bool *outside);

#endif
