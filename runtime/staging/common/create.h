/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are written, in directories where others may make files, too: /tmp. There a name may be somebody
 * else's link to a file of ours, his second name for it, his pipe, or his file. The kernel refuses these when
 * fs.protected_symlinks, _hardlinks, _fifos and _regular say so; here they are always refused. */
#ifndef STAGING_CREATE_H
#define STAGING_CREATE_H

#include <sys/types.h>

/* As open, O_CREAT, O_CLOEXEC and O_NOCTTY being implied. -1 and errno. */
int create_open(const char *path, int flags, mode_t mode);
/* What errno of create_open means. */
const char *create_error(int err);

#endif
