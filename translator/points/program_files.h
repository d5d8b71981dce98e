/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a name in a point means, as paths on the target machine. False: no file was found,
 * and the reasons say why. */
#ifndef TAPC_PROGRAM_FILES_H
#define TAPC_PROGRAM_FILES_H

#include "family.h"

typedef VEC(const char *) program_files;

/* NAME: a path, a name in PATH or in the library directories, a path with wildcards, or a build-id. */
bool program_find_files(struct sites *sites, const char *name, bool is_library, program_files *out);
/* The library NAME as PROGRAM (a path found by this file) uses it: the one in its container, if it
 * is in one. A name with wildcards and without a slash matches the libraries that the program is
 * linked with, directly or indirectly. */
bool program_find_library_of(struct sites *sites, const char *program, const char *name, program_files *out);
/* The program that process("path"), process(PID) or process (the one of -c or -x) runs. */
bool program_find_process(struct sites *sites, const struct point_component *process, program_files *out);
bool program_is_pid(struct sites *sites, int64_t pid);

#endif
