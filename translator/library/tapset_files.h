/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tapset files there are: see tapset_files.c. */
#ifndef TAPC_TAPSET_FILES_H
#define TAPC_TAPSET_FILES_H

#include <stdbool.h>

#include "base/vec.h"

struct translation;

/* In the order in which they are asked: the first OF_USER are the user's, the rest is shipped. False, with a
 * message, when a folder cannot be read. */
bool tapset_files(struct translation *t, name_list *paths, size_t *of_user);
/* "/usr/bin" of ".../PATH/usr/bin/foo.stp"; NULL when the file is of no program. */
const char *tapset_program_folder(struct arena *a, const char *path);

#endif
