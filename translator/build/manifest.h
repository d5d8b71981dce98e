/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of a directory's files, by which damage is detected. */
#ifndef TAPC_MANIFEST_H
#define TAPC_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* The line for a file: "SIZE HASH NAME\n". */
const char *manifest_line(struct arena *a, const char *name, const char *data, size_t size);
/* Is the file "manifest" in DIR complete and of this FORMAT, and are all files as it says, and safe to read? */
bool manifest_is_sound(struct arena *a, const char *dir, const char *format);

#endif
