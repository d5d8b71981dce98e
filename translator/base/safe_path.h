/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories and files that no other user can replace. Everything that is built, cached and loaded passes
 * through them: a user who can write there controls what runs in the kernel.
 *
 * A directory is safe if it and all its parents belong to this user or to root, and other users cannot write
 * to any of them, except to sticky directories such as /tmp. Its path is then as good as a descriptor: no other
 * user can make it refer to another directory. */
#ifndef TAPC_SAFE_PATH_H
#define TAPC_SAFE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

enum safe_kind {
	SAFE_PRIVATE,		/* no other user may write to it */
	SAFE_OWN,		/* the same, and it is not a symbolic link; created with mode 0700 if missing */
	SAFE_SHARED,		/* like /tmp: other users may create files next to ours */
};

/* Returns PATH as an absolute path without symbolic links. Links are followed if they belong to this user or root.
 * On failure returns NULL and sets *REASON to a text and errno, which is EPERM if PATH is not safe. */
const char *safe_dir(struct arena *a, const char *path, enum safe_kind kind, const char **reason);
/* Creates a directory DIR/NAMEXXXXXX; DIR is safe. NULL and errno on failure. */
char *safe_dir_new(struct arena *a, const char *dir, const char *name);
/* Reads the file NAME ("include/abi/tap_script.h") below the safe directory DIR. No component of NAME may be a link
 * or belong to another user. NULL and errno on failure; EPERM if a component is not safe. */
char *safe_read(struct arena *a, const char *dir, const char *name, size_t *size);
/* Opens such a file or a directory; returns the descriptor, or -1 and errno. */
int safe_open(const char *dir, const char *name);

/* Returns the directory for temporary files: TMPDIR, or /tmp with one warning if TMPDIR is not safe. Prints an error
 * and returns NULL if neither is safe. */
const char *safe_temporary(struct arena *a);
/* Creates a directory there; on failure prints an error and returns NULL. */
char *safe_work_dir(struct arena *a);
/* Registers DIR, which this run removes at its end, so that it is also removed, with its contents, when SIGINT,
 * SIGTERM or SIGHUP ends the run early. */
void safe_path_own(char *dir);

#endif
