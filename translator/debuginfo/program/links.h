/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shared libraries that a program needs. */
#ifndef TAPC_DEBUGINFO_PROGRAM_LINKS_H
#define TAPC_DEBUGINFO_PROGRAM_LINKS_H

#include "program.h"

/* Instructions for the dynamic loader. PATH: directories separated by colons, with $ORIGIN for the
 * directory of the file; NULL: only the default library directories. ABSENT: no libraries are needed. */
struct program_links {
	VEC(const char *) libraries;	/* "libc.so.6" */
	const char *path;
};
enum debuginfo_answer program_links(struct debuginfo *d, struct program_links *links);

#endif
