/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places in code of Go, whose functions have several results. */
#ifndef TAPC_DEBUGINFO_DWARF_PLACE_H
#define TAPC_DEBUGINFO_DWARF_PLACE_H

#include "debuginfo/place.h"

/* Is P in a function of Go? */
bool dwarf_is_go(const struct debug_place *p);
/* Its results, with their places at its return. */
enum debuginfo_answer dwarf_go_results(const struct debug_place *p, debug_variables *out, const char **reason);

#endif
