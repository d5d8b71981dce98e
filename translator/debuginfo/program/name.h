/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by their demangled names. */
#ifndef TAPC_DEBUGINFO_PROGRAM_NAME_H
#define TAPC_DEBUGINFO_PROGRAM_NAME_H

#include "program.h"
#include "debuginfo/symbols/symbol.h"

/* Append functions whose demangled name matches PATTERN, with or without parameters. */
size_t program_match(struct debuginfo *d, const char *pattern, uint32_t flags, struct symbols *found);

/* A demangled C++ or Rust name: "std::ostream::flush()"; NULL: not a mangled name, or the demangler
 * is not available (it is in libstdc++, which is loaded on first use). */
const char *program_demangle(struct arena *a, const char *name);

#endif
