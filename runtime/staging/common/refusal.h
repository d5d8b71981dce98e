/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that take no module, or none without a signature, whoever brings it. */
#ifndef STAGING_REFUSAL_H
#define STAGING_REFUSAL_H

#include <stdbool.h>

/* Why the running kernel would refuse a module of ours, and what to do; NULL when nothing speaks against it.
 * IS_SIGNED: it has a signature; whether the kernel knows the key is not asked. */
const char *refusal_of_kernel(bool is_signed);

#endif
