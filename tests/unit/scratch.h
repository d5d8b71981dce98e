/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where unit tests write. */
#ifndef UNIT_SCRATCH_H
#define UNIT_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>

/* A name in TMPDIR, or in /tmp, for mkdtemp() or mkstemp(). Each program calls it once. */
static inline char *scratch_template(const char *name)
{
	static char path[4096];
	const char *dir = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/%s.XXXXXX", dir && *dir ? dir : "/tmp", name);
	return path;
}

#endif
