/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files as bytes in memory, and what is packed in them: gzip, xz, lzma, zstd, lz4. */
#ifndef TAPC_DEBUGINFO_UNPACK_H
#define TAPC_DEBUGINFO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A mapping, or a part of one that somebody else owns (mapped is 0). */
struct bytes {
	const uint8_t *data;
	size_t size;
	size_t mapped;
};

/* Map PATH for reading; false and errno on failure. An empty file has size 0. */
bool bytes_open(const char *path, struct bytes *b);
void bytes_close(struct bytes *b);
/* SIZE bytes at OFFSET, or NULL when they are not all there. */
const uint8_t *bytes_at(const struct bytes *b, uint64_t offset, uint64_t size);

/* "xz", or NULL when B does not begin as any packing we know the name of does. */
const char *packing_name(const struct bytes *b);
/* The first packed stream of IN; bytes behind it are ignored. False, and *REASON in A, when it is
 * damaged, in a packing that has no reader here, or grows beyond all proportion. */
bool unpack(struct arena *a, const struct bytes *in, struct bytes *out, const char **reason);

/* The parts that all tables in images are made of, in this machine's byte order. */
static inline uint16_t load16(const uint8_t *p) { uint16_t v; __builtin_memcpy(&v, p, 2); return v; }
static inline uint32_t load32(const uint8_t *p) { uint32_t v; __builtin_memcpy(&v, p, 4); return v; }
static inline uint64_t load64(const uint8_t *p) { uint64_t v; __builtin_memcpy(&v, p, 8); return v; }

#endif
