/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks ("main;read;vfs_read 42", the outermost frame first) become a flame graph. */
#ifndef STAGING_FLAME_H
#define STAGING_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The SVG of the stacks in TEXT, whose lines that are none go to OTHERS. False when there are no stacks. */
bool flame_draw(FILE *svg, const char *text, size_t size, FILE *others);

#endif
