/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types that no debug information has, from the C headers that declare them. */
#ifndef TAPC_HEADERS_H
#define TAPC_HEADERS_H

#include <stdbool.h>

struct kbuild;

/* An object with debug information of the types that HEADERS ("<linux/fs.h><linux/mm.h>") declare:
 * compiled as kernel code (IN_KERNEL) or as programs of this machine are, and kept in the cache.
 * NULL, with *REASON: they do not compile. */
const char *headers_object(struct kbuild *kb, const char *headers, bool in_kernel, const char **reason);

#endif
