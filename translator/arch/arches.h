/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of supported architectures, for code that chooses one. Code that reads files of an architecture gets its
 * struct arch as an argument. */
#ifndef TAPC_ARCHES_H
#define TAPC_ARCHES_H

#include "arch.h"

extern const struct arch *const arches[];	/* ends with NULL */

/* Finds an architecture by uname -m or by the kernel's own name; NULL: not supported. */
const struct arch *arch_find(const char *name);
const struct arch *arch_of_machine(uint16_t elf_machine);
/* The architecture of this machine. */
const struct arch *arch_host(void);

#endif
