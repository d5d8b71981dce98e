/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers that do not depend on the rest of tapc: scope guards, text, whole files,
 * paths, subprocesses. */
#ifndef TAPC_UTIL_H
#define TAPC_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "fatal.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void util_close(int *fd);
void util_fclose(FILE **f);
void util_free(void *p);
#define _cleanup_close_ __attribute__((cleanup(util_close)))
#define _cleanup_fclose_ __attribute__((cleanup(util_fclose)))
#define _cleanup_free_ __attribute__((cleanup(util_free)))

static inline bool str_equal(const char *a, const char *b)
{
	return __builtin_strcmp(a, b) == 0;
}

/* The same for texts that may be NULL. */
static inline bool str_same(const char *a, const char *b)
{
	return a == b || (a && b && str_equal(a, b));
}
bool str_starts(const char *s, const char *prefix);
/* A letter of ASCII, a digit or '_': what names of C and of scripts consist of. */
bool is_identifier_char(char c);
bool str_ends(const char *s, const char *suffix);
/* Matches as the shell does: '*' is any run of characters, '?' any one character, '[...]' a set. */
bool glob_match(const char *pattern, const char *s);
bool is_glob(const char *s);
/* Returns the string of the N in NAMES that is nearest to S by edit distance, or NULL if none is near. */
const char *nearest_name(const char *s, const char *const *names, size_t n);

/* Sorts by byte values. */
void names_sort(const char **names, size_t n);

/* Read the rest of FD, or a whole file, as text with a NUL after it; NULL and errno on failure.
 * SIZE may be NULL. */
char *fd_read(struct arena *a, int fd, size_t *size);
char *file_read(struct arena *a, const char *path, size_t *size);
/* Writes all of DATA; false and errno on failure. */
bool fd_write(int fd, const void *data, size_t size);
/* Writes DATA to a temporary file next to PATH and renames it; false and errno on failure. */
bool file_write(const char *path, const void *data, size_t size);
/* The same for a file that exists: mode and owner stay, and a symbolic link remains one. */
bool file_rewrite(const char *path, const void *data, size_t size);
bool file_exists(const char *path);
bool dir_exists(const char *path);
/* Do both paths lead to the same file or directory, which exists? */
bool file_same(const char *a, const char *b);
/* mkdir -p; false and errno on failure. */
bool dir_make(const char *path, unsigned mode);
/* rm -rf, best effort; never follows symbolic links. */
void dir_remove(const char *path);
const char *path_base(const char *path);
/* Prepends the current directory to a relative path; does not resolve links. */
const char *path_absolute(struct arena *a, const char *path);
/* XDG_CACHE_HOME/tapc or HOME/.cache/tapc; NULL when neither is set. */
const char *path_cache(struct arena *a);
/* XDG_CONFIG_HOME/tapc or HOME/.config/tapc; NULL when neither is set. */
const char *path_config(struct arena *a);
/* XDG_STATE_HOME/tapc or HOME/.local/state/tapc; NULL when neither is set. */
const char *path_state(struct arena *a);
/* Finds a program in PATH; NULL if it is not found. */
char *path_find(struct arena *a, const char *program);

struct command {
	const char *const *argv;	/* NULL-terminated; argv[0] is looked up in PATH */
	const char *dir;		/* working directory, or NULL */
	const char *const *env;		/* the whole environment; NULL: inherited */
	bool capture;			/* collect stdout and stderr in output */
	char *output;			/* in the arena, if capture is set */
	/* called for each line of it as it arrives, without the newline; or NULL */
	void (*line)(void *data, const char *line);
	void *data;
};
/* Runs the command and waits. Returns its exit status, 128+N if signal N killed it, or -1 and errno if it could not
 * be started. */
int command_run(struct arena *a, struct command *c);

/* FNV-1a, 64 bits, incremental: start with HASH_START. */
#define HASH_START 0xcbf29ce484222325ull
uint64_t hash_bytes(uint64_t h, const void *p, size_t n);
/* Hashes eight bytes at a time in four lanes, several GB/s: for files that are checked at each start. It detects
 * accidental damage; the owner and mode of the directory protect against other users. */
uint64_t hash_large(const void *data, size_t size);
uint64_t hash_string(uint64_t h, const char *s);

#endif
