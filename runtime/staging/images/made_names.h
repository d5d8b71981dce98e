/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of code in memory that a program uses again and again: each replaces what it overlaps of older ones. */
#ifndef STAGING_MADE_NAMES_H
#define STAGING_MADE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "tables.h"

struct made_names {
	u64 window;			/* names outside of 4 GB from this address on are left out */
	struct tables_symbol *items;	/* places are relative to the window; a name of higher rank is newer */
	size_t count, room;
};

/* NAME must remain valid, and is changed: what would change a terminal is replaced. */
void made_names_add(struct made_names *names, u64 start, u64 size, char *name, u32 rank);
/* What is left of them, in ascending order: none overlaps another. */
void made_names_order(struct made_names *names);
void made_names_free(struct made_names *names);

/* Replaces control characters, and cuts TEXT at 255 bytes. */
void made_names_clean(char *text);

#endif
