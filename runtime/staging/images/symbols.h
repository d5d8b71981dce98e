/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and variables in a program's file. */
#ifndef STAGING_SYMBOLS_H
#define STAGING_SYMBOLS_H

#include "binary.h"
#include "tables.h"

/* All of B's symbol tables. Names point into B's memory. PLACES: as for frames_read. */
void symbols_read(const struct binary *b, const struct binary *places, struct tables *t);
/* What .gnu_debugdata holds: a compressed file with the symbols that were stripped. NULL: there is none, or it
 * is damaged. To be freed. */
void *symbols_unpack(const struct binary *b, size_t *size);

#endif
