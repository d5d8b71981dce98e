/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections compressed by linkers or packagers (SHF_COMPRESSED), which are common in separate debug files. */
#ifndef STAGING_UNPACK_H
#define STAGING_UNPACK_H

#include "binary.h"

/* The content of a section, decompressed if necessary. In that case the caller frees *UNPACKED afterwards;
 * otherwise it is NULL. False if there is no such section, it is damaged, or its compression is not
 * supported. */
bool unpack_section(const struct binary *e, const char *name, struct bytes *content, void **unpacked);

#endif
