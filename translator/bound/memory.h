/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory part of a bound. */
#ifndef TAPC_BOUND_MEMORY_H
#define TAPC_BOUND_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "bound.h"

void bound_find_memory(struct bound *b, size_t code);
/* False, with a message that names the largest part. */
bool bound_memory_is_allowed(const struct bound *b, uint64_t most);

#endif
