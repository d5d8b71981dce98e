/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The argument of function("...") and statement("..."): "vfs_*@fs/read_write.c:450,460-470". */
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
	bool relative;			/* lines are relative to the function's first line */
	VEC(struct place_lines) lines;	/* empty: the function's entry */
};

/* Returns false and sets REASON if TEXT is not valid. */
bool place_spec_parse(struct arena *a, const char *text, struct place_spec *spec, const char **reason);

/* Can it match more than one place by design? */
bool place_spec_is_wild(const struct place_spec *spec);

#endif
