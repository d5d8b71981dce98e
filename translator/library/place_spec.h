/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written in function("...") and statement("..."): "vfs_*@fs/read_write.c:450,460-470". */
#ifndef TAPC_PLACE_SPEC_H
#define TAPC_PLACE_SPEC_H

#include <stdbool.h>

#include "base/vec.h"

struct place_lines {
	unsigned first, last;
};

struct place_spec {
	const char *function;		/* a glob */
	const char *file;		/* a glob; NULL: any */
	bool relative;			/* lines count from the function's own */
	VEC(struct place_lines) lines;	/* none: the function's entry */
};

/* False: REASON says what is wrong with TEXT. */
bool place_spec_parse(struct arena *a, const char *text, struct place_spec *spec, const char **reason);

/* Does it mean more than one place by design? */
bool place_spec_is_wild(const struct place_spec *spec);

#endif
