/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What linkers and packagers have compressed: sections (SHF_COMPRESSED), which are common in separate debug files, and
 * symbols. */
#ifndef STAGING_UNPACK_H
#define STAGING_UNPACK_H

#include "binary.h"

/* The content of a section, decompressed if necessary. In that case the caller frees *UNPACKED afterwards;
 * otherwise it is NULL. False if there is no such section, it is damaged, or its compression is not
 * supported. */
bool unpack_section(const struct binary *e, const char *name, struct bytes *content, void **unpacked);
/* The content of .gnu_debugdata: a compressed ELF file with the symbols that were stripped. NULL if it does not
 * exist, is damaged, or its compression is not supported. The caller frees it. */
void *unpack_symbols(const struct binary *b, size_t *size);

/* Loads the libraries, before a process that could not. */
void unpack_load(void);

#endif
