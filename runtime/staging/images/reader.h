/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of other users are read in a process that can do nothing else: it has another user id and no rights, two
 * descriptors, so much memory and so much of a processor, and few system calls. Whatever such a file does to it, what
 * comes out is a piece of memory that the module checks, or nothing. */
#ifndef STAGING_READER_H
#define STAGING_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

/* As image_of_file; FD may be O_PATH. NULL: it cannot be opened, took too much or did not come to an end. */
struct tap_image_head *reader_image_of_file(int fd, const char *path, bool lines, size_t *size);

#endif
