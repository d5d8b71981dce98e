/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types as C text that a compiler takes for the same type as the kernel's own, even if it compares types by their names
 * (kCFI): without typedefs, with struct, union and enum declared by name only. */
#ifndef TAPC_DEBUGINFO_EXACT_TYPE_H
#define TAPC_DEBUGINFO_EXACT_TYPE_H

#include <stdbool.h>

#include "base/text.h"
#include "type.h"

/* The declaration of NAME, a parameter of type T. What has to be declared before it is added to DECLARATIONS. NULL: the
 * type cannot be written, or is passed in several words. */
const char *exact_parameter(struct text *declarations, const struct debug_type *t, const char *name);

#endif
