/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories and files that nobody else can put something else in place of. What is built, kept and loaded
 * passes through them: whoever can write there decides what runs in the kernel.
 *
 * A directory is safe when it and all above it belong to this user or to root, and others may write in none of
 * them, or only as in /tmp (sticky). Then its path is as good as a descriptor: nobody can make it mean
 * something else. */
#ifndef TAPC_SAFE_PATH_H
#define TAPC_SAFE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

enum safe_kind {
	SAFE_PRIVATE,		/* nobody else may write in it */
	SAFE_OWN,		/* the same, and it is no link itself; made with mode 0700 when it is not there */
	SAFE_SHARED,		/* like /tmp: others may make files beside ours */
};

/* PATH (from the current directory when it does not begin with '/') without links: they are followed where they are
 * this user's or root's. NULL with the REASON in words; errno is EPERM when it is that PATH is not safe. */
const char *safe_dir(struct arena *a, const char *path, enum safe_kind kind, const char **reason);
/* A new directory DIR/NAMEXXXXXX; DIR is safe. NULL and errno. */
char *safe_dir_new(struct arena *a, const char *dir, const char *name);
/* The file NAME ("include/abi/tap_script.h") below the safe directory DIR: no links, and no part is anybody else's.
 * NULL and errno: EPERM when it is not so. */
char *safe_read(struct arena *a, const char *dir, const char *name, size_t *size);
/* A descriptor of it, or of a directory; -1 and errno. */
int safe_open(const char *dir, const char *name);

/* Where temporary files go: TMPDIR, or /tmp when that is not safe, which is told once. NULL: neither is, with an
 * error printed. */
const char *safe_temporary(struct arena *a);
/* A new directory there; NULL with an error printed. */
char *safe_work_dir(struct arena *a);
/* DIR, of this run, which removes it, goes with all that is in it when SIGINT, SIGTERM or SIGHUP ends us before. */
void safe_path_own(char *dir);

#endif
