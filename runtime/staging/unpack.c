// SPDX-License-Identifier: GPL-2.0-or-later
/* What a section says of its own size is believed up to a limit only, and has to be true. */
#include "unpack.h"

#ifdef HAVE_PACKED_SECTIONS
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "host.h"

enum { MOST_UNPACKED = 1 << 30, ZSTD_SECTION = 2 };	/* ELFCOMPRESS_ZSTD of newer headers */

static bool unpack(uint32_t type, const struct bytes *from, void *to, size_t size)
{
	uLongf got = size;

	if (type == ELFCOMPRESS_ZLIB)
		return uncompress(to, &got, from->at, bytes_left(from)) == Z_OK && got == size;
	return type == ZSTD_SECTION && ZSTD_decompress(to, size, from->at, bytes_left(from)) == size;
}

static bool unpack_piece(struct bytes packed, struct bytes *content, void **unpacked)
{
	Elf64_Chdr head;
	uint8_t *data;

	if (bytes_left(&packed) < sizeof(head))
		return false;
	memcpy(&head, packed.at, sizeof(head));
	packed.at += sizeof(head);
	if (!head.ch_size || head.ch_size > MOST_UNPACKED)
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
#else
static bool unpack_piece(struct bytes packed, struct bytes *content, void **unpacked)
{
	(void)packed, (void)content, (void)unpacked;
	return false;
}
#endif

bool unpack_section(const struct binary *e, const char *name, struct bytes *content, void **unpacked)
{
	struct binary_piece p;

	*unpacked = NULL;
	if (binary_section_packed(e, name, &p))
		return unpack_piece(p.bytes, content, unpacked);
	if (!binary_section(e, name, &p))
		return false;
	*content = p.bytes;
	return true;
}
