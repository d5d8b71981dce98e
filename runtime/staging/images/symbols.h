/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and variables in a program. */
#ifndef STAGING_SYMBOLS_H
#define STAGING_SYMBOLS_H

#include "binary.h"
#include "tables.h"

/* Reads all symbol tables of B. The names point into B's memory. PLACES: as for frames_read. */
void symbols_read(const struct binary *b, const struct binary *places, struct tables *t);
/* The content of .gnu_debugdata: a compressed ELF file with the symbols that were stripped. NULL if it does not
 * exist or is damaged. The caller frees it. */
void *symbols_unpack(const struct binary *b, size_t *size);

#endif
