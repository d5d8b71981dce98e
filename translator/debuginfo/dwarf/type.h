/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types described by DWARF. */
#ifndef TAPC_DEBUGINFO_DWARF_TYPE_H
#define TAPC_DEBUGINFO_DWARF_TYPE_H

#include "dwarf.h"

/* The type that DIE refers to (void if it refers to none); the type that DIE itself is. */
const struct debug_type *dwarf_type_of(struct debuginfo *d, Dwarf_Die *die);
const struct debug_type *dwarf_type_handle(struct debuginfo *d, Dwarf_Die *die);
extern const struct debug_type_reader dwarf_reader;
int64_t dwarf_enumerator_value(Dwarf_Die *die);

#endif
