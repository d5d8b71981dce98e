/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A 64-bit or 32-bit little-endian program or library in memory. Everything in it is checked before use. */
#ifndef STAGING_BINARY_H
#define STAGING_BINARY_H

#include <elf.h>

#include "bytes.h"

enum { BINARY_LOADS = 32 };		/* linkers make about 4; further ones are ignored */

struct binary_load {
	uint64_t address, size, offset;
};

struct binary {
	const uint8_t *data;
	size_t size;
	Elf64_Ehdr head;
	bool narrow;			/* a 32-bit file: see elf_wide.h */
	struct binary_load loads[BINARY_LOADS];		/* where the parts of the file are loaded */
	uint32_t load_count;
};

/* A segment or a section. */
struct binary_piece {
	struct bytes bytes;		/* the part that is in the file */
	uint64_t address, offset;
	uint32_t type, link, entry;	/* sections: sh_type, sh_link, sh_entsize */
	uint32_t number;
};

/* False if it is not such a file. DATA must outlive E. */
bool binary_open(struct binary *e, const void *data, size_t size);
/* Finds a section with content in the file, by name, by type or by number. */
bool binary_section(const struct binary *e, const char *name, struct binary_piece *p);
bool binary_section_typed(const struct binary *e, uint32_t type, struct binary_piece *p);
bool binary_section_number(const struct binary *e, uint32_t number, struct binary_piece *p);
/* Finds a compressed section and returns it as it is; the functions above ignore these. See unpack.h. */
bool binary_section_packed(const struct binary *e, const char *name, struct binary_piece *p);
/* Finds the first segment of a type. */
bool binary_segment(const struct binary *e, uint32_t type, struct binary_piece *p);
/* The file offset of linked ADDRESS; false if the file does not have it. For a separate debug file, this is the
 * offset in the file that it was split from. */
bool binary_offset(const struct binary *e, uint64_t address, uint64_t *offset);
/* The bytes of the build-id; false if it has none. */
bool binary_build_id(const struct binary *e, struct bytes *id);

#endif
