/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and types of the variables visible in a function, for listing. */
#ifndef TAPC_DEBUGINFO_DWARF_SIGNATURE_H
#define TAPC_DEBUGINFO_DWARF_SIGNATURE_H

#include "dwarf.h"

/* False: P is not an entry found by DWARF. */
bool dwarf_signature(const struct debug_place *p, debug_variables *out);

#endif
