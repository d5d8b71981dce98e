/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program or library of 64 or 32 bits, little-endian, in memory. Nothing in it is believed unchecked. */
#ifndef STAGING_BINARY_H
#define STAGING_BINARY_H

#include <elf.h>

#include "bytes.h"

enum { BINARY_LOADS = 32 };		/* linkers make 4 or so; what is in others is nowhere */

struct binary_load {
	uint64_t address, size, offset;
};

struct binary {
	const uint8_t *data;
	size_t size;
	Elf64_Ehdr head;
	bool narrow;			/* of 32 bits: see elf_wide.h */
	struct binary_load loads[BINARY_LOADS];		/* what of the file is loaded where */
	uint32_t load_count;
};

/* One loaded piece, or one section. */
struct binary_piece {
	struct bytes bytes;		/* what of it is in the file */
	uint64_t address, offset;
	uint32_t type, link, entry;	/* sections: sh_type, sh_link, sh_entsize */
	uint32_t number;
};

/* False: it is none. DATA stays. */
bool binary_open(struct binary *e, const void *data, size_t size);
/* A section with content in the file, by its name; by its type; by its number. */
bool binary_section(const struct binary *e, const char *name, struct binary_piece *p);
bool binary_section_typed(const struct binary *e, uint32_t type, struct binary_piece *p);
bool binary_section_number(const struct binary *e, uint32_t number, struct binary_piece *p);
/* One that is compressed, as it is; the others do not see these. See unpack.h. */
bool binary_section_packed(const struct binary *e, const char *name, struct binary_piece *p);
/* The first segment of a type. */
bool binary_segment(const struct binary *e, uint32_t type, struct binary_piece *p);
/* Where in the file is what is linked at ADDRESS? False: nowhere. Of a separate debug file this is the
 * place in the file that it was split from. */
bool binary_offset(const struct binary *e, uint64_t address, uint64_t *offset);
/* The build-id's bytes; false: it has none. */
bool binary_build_id(const struct binary *e, struct bytes *id);

#endif
