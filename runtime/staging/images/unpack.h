/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections that linkers and packagers have compressed (SHF_COMPRESSED), as those of separate debug files often are. */
#ifndef STAGING_UNPACK_H
#define STAGING_UNPACK_H

#include "binary.h"

/* The content of a section, unpacked if need be: then *UNPACKED is to be freed afterwards, else it is NULL. False:
 * there is no such section, or it is damaged or compressed in a way that is not known here. */
bool unpack_section(const struct binary *e, const char *name, struct bytes *content, void **unpacked);

#endif
