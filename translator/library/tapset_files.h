/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the tapset files: see tapset_files.c. */
#ifndef TAPC_TAPSET_FILES_H
#define TAPC_TAPSET_FILES_H

#include <stdbool.h>

#include "base/vec.h"

struct options;
struct target_host;

/* Lists the files in order of precedence: the first OF_USER are the user's, the rest are shipped. Prints an error and
 * returns false if a directory cannot be read. */
bool tapset_files(const struct options *o, const struct target_host *h, name_list *paths, size_t *of_user);
/* Returns "/usr/bin" for ".../PATH/usr/bin/foo.stp"; NULL for a path without PATH/. */
const char *tapset_program_folder(struct arena *a, const char *path);

#endif
