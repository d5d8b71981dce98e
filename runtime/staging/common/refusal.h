/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that accept no modules, or only signed ones, whatever the rights of the process. */
#ifndef STAGING_REFUSAL_H
#define STAGING_REFUSAL_H

#include <stdbool.h>

/* Why the running kernel would refuse our module, and what to do; NULL if nothing prevents loading. IS_SIGNED:
 * the module has a signature; whether the kernel has the key is not checked. */
const char *refusal_of_kernel(bool is_signed);

#endif
