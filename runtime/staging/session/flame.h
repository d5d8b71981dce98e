/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts folded stacks ("main;read;vfs_read 42", outermost frame first) to a flame graph. */
#ifndef STAGING_FLAME_H
#define STAGING_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the stacks in TEXT as SVG, and the other lines to OTHERS. False if there are no stacks. */
bool flame_draw(FILE *svg, const char *text, size_t size, FILE *others);

#endif
