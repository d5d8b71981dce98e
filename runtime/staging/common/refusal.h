/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that accept no modules, or only signed ones, whatever the rights of the process. */
#ifndef STAGING_REFUSAL_H
#define STAGING_REFUSAL_H

#include <stdbool.h>

struct gap;

/* Would the running kernel accept our module, as far as its settings show? False: G says why not. IS_SIGNED: the module
 * has a signature; whether the kernel has the key is not checked. */
bool refusal_is_absent(bool is_signed, struct gap *g);

#endif
