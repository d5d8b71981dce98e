/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files of other users in a process that can do nothing else: it has another user id, no rights, two
 * descriptors, limited memory and CPU time, and few system calls. Whatever such a file does to it, the result
 * is a block of memory that the module checks, or nothing. */
#ifndef STAGING_READER_H
#define STAGING_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_image.h"

struct made;

/* As image_of_file; FD may be O_PATH. NULL if it cannot be opened, exceeds a limit or does not finish. */
struct tap_image_head *reader_image_of_file(int fd, const char *path, bool lines, size_t *size);
/* As made_open and made_read. */
struct tap_image_head *reader_image_of_made(const struct made *made, u64 window, bool lines, size_t *size);

#endif
