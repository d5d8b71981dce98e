/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines: the line number information of DWARF 2 to 5 (DWARF 5, section 6.2). */
#ifndef STAGING_LINES_H
#define STAGING_LINES_H

#include "binary.h"
#include "tables.h"

/* Reads B's .debug_line, if it has one. PLACES: as for frames_read. */
void lines_read(const struct binary *b, const struct binary *places, struct tables *t);

#endif
