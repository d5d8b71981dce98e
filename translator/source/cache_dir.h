/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where this user keeps what a run leaves for later runs. */
#ifndef TAPC_CACHE_DIR_H
#define TAPC_CACHE_DIR_H

struct translation;

/* The cache's directory, which is there with its parts entries/, kernels/, headers/ and symbols/, and safe
 * (safe_path.h): that of XDG_CACHE_HOME or HOME, or, when that is
 * somebody else's, the one below this user's own home. NULL: nothing is kept, by --disable-cache or because no
 * directory will do; why is told once. */
const char *cache_dir(struct translation *t);

#endif
