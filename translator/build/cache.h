/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run leaves for later runs: blobs by key, and a directory for the kernels' templates.
 *
 * The cache is a directory of the user's that nobody else can write to (cache_dir.h), safe against
 * concurrent runs, killed runs, a full disk and damaged files: an entry is whole, verified and the user's
 * or root's own, or it is not there. When no such directory can be used, or with --disable-cache, a private
 * temporary one serves this run. */
#ifndef TAPC_CACHE_H
#define TAPC_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct translation;

/* A digest of all that decides a result: 128 bits (SipHash-2-4, each part keyed by the digest of
 * the parts before it, so that "ab","c" and "a","bc" differ). */
struct cache_key {
	uint64_t h[2];
};

void cache_key_init(struct cache_key *k);
void cache_key_add(struct cache_key *k, const void *data, size_t size);
/* S may be NULL, which differs from "". */
void cache_key_string(struct cache_key *k, const char *s);
/* Size and time of a file too large to read at each start; an absent file counts too. */
void cache_key_age(struct cache_key *k, const char *path);
/* And its inode, which differs where the same disk is seen in another way: from a container, over 9p. */
void cache_key_stat(struct cache_key *k, const char *path);
/* 32 hexadecimal digits. */
const char *cache_key_hex(struct arena *a, const struct cache_key *k);

struct cache {
	struct arena *arena;
	const char *root;		/* has kernels/ (see template.h), headers/ (headers.h), modules/ and entries/ */
	bool temporary;			/* private, removed by cache_close */
	bool poison;			/* read nothing, write all */
	int verbose;
	uint64_t limit;			/* of the entries, in bytes: CACHE_LIMIT */
};

#define CACHE_LIMIT (256ull << 20)

/* False, with a message printed, only when not even a temporary directory can be made. */
bool cache_open(struct cache *c, struct translation *t);
void cache_close(struct cache *c);

/* The data stored under KEY (a word that is fit to be a file name) in C's arena, or NULL. Damaged
 * entries are removed. */
char *cache_get(struct cache *c, const char *key, size_t *size);
/* Store; the least recently used entries make room. False and errno when it could not: the caller
 * goes on without. */
bool cache_put(struct cache *c, const char *key, const void *data, size_t size);

/* Where a module of this NAME is left for who asked for it; the oldest of many go. NULL: the cache is temporary. */
const char *cache_module_path(struct cache *c, const char *name);

/* A lock on the directory kernels/KEY (32 digits, whatever may follow) and its temporary ones: a
 * descriptor, or -1 and errno, EWOULDBLOCK when another run has it and WAIT is false. */
int cache_lock(struct cache *c, const char *key, bool wait);
/* FD may be -1. */
void cache_unlock(struct cache *c, const char *key, int fd);

/* --clean-cache: remove all entries, and all templates that are not being built just now. */
void cache_clean(struct cache *c);

#endif
