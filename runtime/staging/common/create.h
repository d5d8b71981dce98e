/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files for writing in directories where other users may create files, such as /tmp. There, a name may be
 * another user's symbolic link or hard link to one of our files, or a FIFO or a file of that user. The kernel
 * refuses these if fs.protected_symlinks, _hardlinks, _fifos and _regular are set; create_open always refuses
 * them. */
#ifndef STAGING_CREATE_H
#define STAGING_CREATE_H

#include <sys/types.h>

/* Like open, with O_CREAT, O_CLOEXEC and O_NOCTTY implied. Returns -1 and sets errno. */
int create_open(const char *path, int flags, mode_t mode);
/* Describes an errno of create_open. */
const char *create_error(int err);

#endif
