/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by their demangled names. */
#ifndef TAPC_DEBUGINFO_PROGRAM_NAME_H
#define TAPC_DEBUGINFO_PROGRAM_NAME_H

#include "image.h"

/* Append functions whose demangled name matches PATTERN, with or without parameters. */
size_t program_match(struct debuginfo *d, const char *pattern, uint32_t flags, struct symbols *found);

#endif
