/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frame information (DWARF 5, section 6.4; for .eh_frame the LSB core specification, chapter 10) becomes
 * rows: from which place on which rule holds. */
#ifndef STAGING_FRAMES_H
#define STAGING_FRAMES_H

#include "binary.h"
#include "tables.h"

/* All functions of .eh_frame, or of .debug_frame where there is no .eh_frame. PLACES: the file whose segments
 * tell offsets; E itself unless E is its debug file. False: there is no such information. */
bool frames_read(const struct binary *e, const struct binary *places, struct tables *t);

#endif
