/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The architectures that are supported. What reads files of one is given its row; the list is for those who choose. */
#ifndef TAPC_ARCHES_H
#define TAPC_ARCHES_H

#include "arch.h"

extern const struct arch *const arches[];	/* ends with NULL */

/* By uname -m or the kernel's own name for it; NULL: not supported. */
const struct arch *arch_find(const char *name);
const struct arch *arch_of_machine(uint16_t elf_machine);
/* The one this program runs on. */
const struct arch *arch_host(void);

#endif
