/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only BTF says of functions. */
#ifndef TAPC_DEBUGINFO_BTF_PLACE_H
#define TAPC_DEBUGINFO_BTF_PLACE_H

struct debug_place;

/* NULL if BTF says that the arguments of the function at P are words in registers, none of them a structure by value or
 * "..."; and so is the address of a result in memory. Otherwise why not. */
const char *debuginfo_beyond_registers(const struct debug_place *p);

#endif
