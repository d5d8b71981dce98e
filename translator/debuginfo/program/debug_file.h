/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a program's debug information. */
#ifndef TAPC_DEBUGINFO_PROGRAM_DEBUG_FILE_H
#define TAPC_DEBUGINFO_PROGRAM_DEBUG_FILE_H

#include "image.h"

/* The file with its DWARF; NULL in PATH: the program itself. */
enum debuginfo_answer program_debug_path(struct debuginfo *d, const char **path, const char **reason);
/* The path of the debug file with this build-id. */
const char *debug_by_build_id(struct debuginfo *d, const uint8_t *id, size_t n);

#endif
