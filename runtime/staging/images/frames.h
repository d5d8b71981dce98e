/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts call frame information (DWARF 5, section 6.4; for .eh_frame the LSB core specification, chapter 10)
 * to rows: the rule that applies from each address on. */
#ifndef STAGING_FRAMES_H
#define STAGING_FRAMES_H

#include "binary.h"
#include "tables.h"

/* Reads all functions of .eh_frame, or of .debug_frame if there is no .eh_frame. PLACES: the file whose
 * segments give the offsets, which is E itself unless E is a separate debug file. False if there is no such
 * information. */
bool frames_read(const struct binary *e, const struct binary *places, struct tables *t);

#endif
