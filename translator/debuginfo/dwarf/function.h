/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by name, with their inlined copies, lines and labels. */
#ifndef TAPC_DEBUGINFO_DWARF_FUNCTION_H
#define TAPC_DEBUGINFO_DWARF_FUNCTION_H

#include "dwarf.h"

struct dwarf_wanted {
	const char *pattern, *file;	/* FILE: a glob, or NULL */
	unsigned kinds;			/* PLACE_...: which places of a function */
	size_t known;			/* complete the places from this index on; SIZE_MAX: none */
	bool has_lines, relative, nearest;
	unsigned first, last;
	const char *label;		/* a glob; or NULL */
};
enum debuginfo_answer dwarf_places(struct debuginfo *d, const struct dwarf_wanted *w, debug_places *out,
				   const char **reason);

/* "read_write.c", "fs/read_write.c" and "fs/ *.c" all match "./fs/read_write.c". */
bool dwarf_is_file(const char *pattern, const char *path);

#endif
