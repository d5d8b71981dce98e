/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the tables that a module gets for a file. They come from the file itself, from the symbols packed into
 * it, and from its separate debug file. */
#ifndef STAGING_IMAGE_H
#define STAGING_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

/* The packed tables of the open file FD with the name PATH. The caller frees them; never NULL: the tables of a
 * file that is not a program are empty. LINES: include source lines. */
struct tap_image_head *image_of_file(int fd, const char *path, bool lines, size_t *size);
/* The same for the vDSO, the code that the kernel maps into each process; NULL if there is none. */
struct tap_image_head *image_of_vdso(size_t *size);

#endif
