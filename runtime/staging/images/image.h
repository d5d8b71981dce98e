/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module is told of a file: from the file itself, from what was stripped of it and packed into it, and
 * from its separate debug file. */
#ifndef STAGING_IMAGE_H
#define STAGING_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

/* The packed tables of the open file FD, which is called PATH. To be freed; never NULL: what is no program
 * has no tables. LINES: with those of its sources. */
struct tap_image_head *image_of_file(int fd, const char *path, bool lines, size_t *size);
/* The same of the code that the kernel itself maps into each process; NULL: there is none. */
struct tap_image_head *image_of_vdso(size_t *size);

#endif
