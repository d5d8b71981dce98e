/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries by name. */
#ifndef TAPC_DEBUGINFO_PROGRAM_FIND_H
#define TAPC_DEBUGINFO_PROGRAM_FIND_H

#include "program.h"

/* The path of the program NAME, including the sysroot: NAME itself if it has a slash, else found in PATH; NULL:
 * not found. A shared library ("libc.so.6", "libc.so.*", "libc") is searched where the loader would look. */
const char *program_find(struct arena *a, const struct debuginfo_request *request, const char *name);
/* ARCH: the architecture of the program that uses the library; NULL: that of the request, or else
 * of its 32-bit programs. */
const char *program_find_library(struct arena *a, const struct debuginfo_request *request, const char *name,
				 const struct arch *arch);
/* Is PATH an ELF file for programs of ARCH? */
bool program_is_of(const char *path, const struct arch *arch);

#endif
