/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interned texts: equal texts are the same pointer. */
#ifndef TAPC_INTERN_H
#define TAPC_INTERN_H

#include <stddef.h>

#include "map.h"

struct arena;

struct interned {
	struct arena *arena;
	struct map texts;
};

void interned_open(struct interned *known, struct arena *a);
/* Returns the same pointer for equal texts. */
const char *intern(struct interned *known, const char *s, size_t n);

#endif
