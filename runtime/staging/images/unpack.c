// SPDX-License-Identifier: GPL-2.0-or-later
/* The size that a section claims is accepted only within limits, and must be exact. A kilobyte of compressed
 * zeros becomes a megabyte, and any user may have such a file mapped. So the limits follow from what the packed
 * bytes and the whole file can reasonably become: line tables grow two to four times, strings up to ten
 * times. Packed symbols grow three to six times, but a kilobyte of compressed zeros becomes seven megabytes there. */
#include "unpack.h"

#ifdef HAVE_ZSTD		/* then the others, too */
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "common/elf_wide.h"
#include "common/host.h"
#include "common/library.h"

#define ZLIB(X) X(uncompress)
LIBRARY(zlib, "libz.so.1", ZLIB)
#define ZSTD(X) X(ZSTD_decompress)
LIBRARY(zstd, "libzstd.so.1", ZSTD)
#define LZMA(X) X(lzma_stream_buffer_decode)
LIBRARY(lzma, "liblzma.so.5", LZMA)

enum {
	MOST_UNPACKED = 512 << 20, MOST_RATIO = 32, MOST_OF_FILE = 8, ALWAYS = 64 << 10,
	ZSTD_SECTION = 2,		/* ELFCOMPRESS_ZSTD in newer headers */
	MOST_SYMBOLS = 256 << 20, MOST_MEMORY = 64 << 20, MOST_SYMBOLS_RATIO = 64,
};

void unpack_load(void)
{
	zlib_load();
	zstd_load();
	lzma_load();
}

static bool unpack(uint32_t type, const struct bytes *from, void *to, size_t size)
{
	uLongf got = size;

	if (type == ELFCOMPRESS_ZLIB)
		return zlib_load() && zlib.uncompress(to, &got, from->at, bytes_left(from)) == Z_OK && got == size;
	return type == ZSTD_SECTION && zstd_load() &&
	       zstd.ZSTD_decompress(to, size, from->at, bytes_left(from)) == size;
}

static bool is_reasonable(uint64_t size, uint64_t packed, uint64_t file)
{
	return size && size <= MOST_UNPACKED &&
	       (size <= ALWAYS || (size / MOST_RATIO <= packed && size / MOST_OF_FILE <= file));
}

static bool unpack_piece(struct bytes packed, const struct binary *e, struct bytes *content, void **unpacked)
{
	size_t size = ELF_WIDE_SIZE(Chdr, e->narrow);
	Elf64_Chdr head;
	uint8_t *data;

	if (bytes_left(&packed) < size)
		return false;
	head = elf_wide_compression(packed.at, e->narrow);
	packed.at += size;
	if (!is_reasonable(head.ch_size, bytes_left(&packed), e->size))
		return false;
	data = host_alloc(head.ch_size);
	if (!unpack(head.ch_type, &packed, data, head.ch_size)) {
		free(data);
		return false;
	}
	*content = (struct bytes){ data, data + head.ch_size, false };
	*unpacked = data;
	return true;
}

void *unpack_symbols(const struct binary *b, size_t *size)
{
	struct binary_piece packed;
	uint64_t memory = MOST_MEMORY;
	size_t room, in = 0;
	uint8_t *data = NULL;
	lzma_ret result = LZMA_BUF_ERROR;

	if (!binary_section(b, ".gnu_debugdata", &packed) || !lzma_load())
		return NULL;
	for (room = 4 * bytes_left(&packed.bytes) + 4096; result == LZMA_BUF_ERROR && room <= MOST_SYMBOLS &&
	     room / MOST_SYMBOLS_RATIO <= bytes_left(&packed.bytes) + 4096; room *= 4) {
		data = host_grow(data, room);
		in = *size = 0;
		result = lzma.lzma_stream_buffer_decode(&memory, 0, NULL, packed.bytes.at, &in,
							bytes_left(&packed.bytes), data, size, room);
	}
	if (result == LZMA_OK)
		return data;
	free(data);
	return NULL;
}
#else
void unpack_load(void)
{
}

void *unpack_symbols(const struct binary *b, size_t *size)
{
	(void)b, (void)size;
	return NULL;
}

static bool unpack_piece(struct bytes packed, const struct binary *e, struct bytes *content, void **unpacked)
{
	(void)packed, (void)e, (void)content, (void)unpacked;
	return false;
}
#endif

bool unpack_section(const struct binary *e, const char *name, struct bytes *content, void **unpacked)
{
	struct binary_piece p;

	*unpacked = NULL;
	if (binary_section_packed(e, name, &p))
		return unpack_piece(p.bytes, e, content, unpacked);
	if (!binary_section(e, name, &p))
		return false;
	*content = p.bytes;
	return true;
}
