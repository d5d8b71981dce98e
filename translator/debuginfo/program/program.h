/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries as images: all queries of debuginfo.h, place.h and type.h work on
 * them, and some more. The offset of a place or symbol is its address in the file, and there are no
 * sections; uprobes use offsets in the file: program_file_offset().
 *
 * Symbols come from .symtab, or else from the debug file's, or else from .gnu_debugdata, and from
 * .dynsym; DWARF comes from the file itself, or from its debug file: by build-id, by
 * .gnu_debuglink, or from a debuginfod server if DEBUGINFOD_URLS names one. */
#ifndef TAPC_DEBUGINFO_PROGRAM_H
#define TAPC_DEBUGINFO_PROGRAM_H

#include "debuginfo/debuginfo.h"
#include "base/location.h"

/* The offset in the file of ADDRESS, by the program's segments. */
bool program_file_offset(struct debuginfo *d, uint64_t address, uint64_t *offset);

/* The lowest address of code, as linked: the kernel's start_code of the program. */
bool program_code_start(struct debuginfo *d, uint64_t *address);

/* The build-id and its offset in the file. False: the file has no build-id. */
bool program_build_id(struct debuginfo *d, const uint8_t **id, size_t *size, uint64_t *offset);

#endif
