/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and variables in a program. */
#ifndef STAGING_SYMBOLS_H
#define STAGING_SYMBOLS_H

#include "binary.h"
#include "tables.h"

/* Reads all symbol tables of B. The names point into B's memory. PLACES: as for frames_read. */
void symbols_read(const struct binary *b, const struct binary *places, struct tables *t);

#endif
