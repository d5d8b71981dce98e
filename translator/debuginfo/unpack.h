/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files as bytes in memory, and decompression: gzip, xz, lzma, zstd, lz4. */
#ifndef TAPC_DEBUGINFO_UNPACK_H
#define TAPC_DEBUGINFO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A mapping, or a part of one that has another owner (mapped is 0). */
struct bytes {
	const uint8_t *data;
	size_t size;
	size_t mapped;
};

/* Map PATH for reading; false and errno on failure. An empty file has size 0. */
bool bytes_open(const char *path, struct bytes *b);
void bytes_close(struct bytes *b);
/* SIZE bytes at OFFSET, or NULL if B does not have all of them. */
const uint8_t *bytes_at(const struct bytes *b, uint64_t offset, uint64_t size);

/* "xz", or NULL if B does not begin with the magic of a known format. */
const char *packing_name(const struct bytes *b);
/* Unpack the first compressed stream of IN; bytes after it are ignored. False, with *REASON in A,
 * if it is damaged, has a format that is not supported, or unpacks to too much. */
bool unpack(struct arena *a, const struct bytes *in, struct bytes *out, const char **reason);

/* Unaligned loads, for tables in images, in this machine's byte order. */
static inline uint16_t load16(const uint8_t *p) { uint16_t v; __builtin_memcpy(&v, p, 2); return v; }
static inline uint32_t load32(const uint8_t *p) { uint32_t v; __builtin_memcpy(&v, p, 4); return v; }
static inline uint64_t load64(const uint8_t *p) { uint64_t v; __builtin_memcpy(&v, p, 8); return v; }

#endif
