/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations outside of functions, by name. */
#ifndef TAPC_DEBUGINFO_DWARF_NAME_H
#define TAPC_DEBUGINFO_DWARF_NAME_H

#include "dwarf.h"

/* Find a declaration outside of functions, by name. */
enum debuginfo_answer dwarf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				       const struct debug_type **t, const char **reason);
enum debuginfo_answer dwarf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					     const char **reason);

/* Returned in DIE and UNIT. */
enum debuginfo_answer dwarf_global_named(struct debuginfo *d, const char *name, const char *file,
					 Dwarf_Die *die, Dwarf_Die *unit, const char **reason);
/* A declaration of the variable NAME, whose definition has no debug information. */
enum debuginfo_answer dwarf_declared_named(struct debuginfo *d, const char *name, Dwarf_Die *die, const char **reason);

#endif
