/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of a run that later runs use: blobs by key, and a directory for the kernels' templates.
 *
 * The cache is a directory that belongs to the user and that no other user can write to
 * (cache_dir.h). It is safe against concurrent runs, killed runs, a full disk and damaged files: an
 * entry that is found is complete, verified and owned by the user or root. If no such directory can
 * be used, or with --disable-cache, a private temporary directory serves this run. */
#ifndef TAPC_CACHE_H
#define TAPC_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct cache_dir;
struct options;

/* A digest of all inputs of a result: 128 bits (SipHash-2-4, each part keyed by the digest of the
 * parts before it, so that "ab","c" and "a","bc" differ). */
struct cache_key {
	uint64_t h[2];
};

void cache_key_init(struct cache_key *k);
void cache_key_add(struct cache_key *k, const void *data, size_t size);
/* S may be NULL, which differs from "". */
void cache_key_string(struct cache_key *k, const char *s);
/* Size and time of a file that is too large to read at each start; an absent file counts too. */
void cache_key_age(struct cache_key *k, const char *path);
/* The same with its inode, which differs if the same disk is seen in another way: from a container, over 9p. */
void cache_key_stat(struct cache_key *k, const char *path);
/* 32 hexadecimal digits. */
const char *cache_key_hex(struct arena *a, const struct cache_key *k);

struct cache {
	struct arena *arena;
	const char *root;		/* has kernels/ (see template.h), headers/ (headers.h), modules/ and entries/ */
	bool temporary;			/* private; removed by cache_close */
	bool poison;			/* do not read, only write */
	bool is_shared;			/* other users read it, see prepared.h */
	int verbose;
	uint64_t limit;			/* of the entries, in bytes: CACHE_LIMIT */
};

#define CACHE_LIMIT (256ull << 20)

/* False, with a message printed, only if not even a temporary directory can be created. */
bool cache_open(struct cache *c, struct cache_dir *dir, const struct options *o);
void cache_close(struct cache *c);

/* The data stored under KEY (a word that can be a file name), allocated in C's arena, or NULL.
 * Damaged entries are removed. */
char *cache_get(struct cache *c, const char *key, size_t *size);
/* Store an entry; the least recently used ones are removed to make room. False and errno if it
 * could not be stored: the caller continues without the cache. */
bool cache_put(struct cache *c, const char *key, const void *data, size_t size);

/* The path at which a module of this NAME is left for the user; the oldest of many are removed.
 * NULL: the cache is temporary. */
const char *cache_module_path(struct cache *c, const char *name);

/* Lock the directory kernels/KEY (32 digits, with any suffix) and its temporary directories: returns a
 * descriptor, or -1 and errno, which is EWOULDBLOCK if another run holds the lock and WAIT is false. */
int cache_lock(struct cache *c, const char *key, bool wait);
/* FD may be -1. */
void cache_unlock(struct cache *c, const char *key, int fd);

/* --clean-cache: remove all entries, and all templates that are not being built. */
void cache_clean(struct cache *c);

#endif
