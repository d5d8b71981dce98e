// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the headers of an ELF file with bounds checks. */
#include "binary.h"

#include "common/elf_wide.h"

enum { MOST_SECTION_NAME = 64, MOST_NOTES = 32 };	/* the sections we look for have shorter names */

/* NULL if there are not SIZE bytes at OFFSET. */
static const uint8_t *get(const struct binary *e, uint64_t offset, size_t size)
{
	return offset > e->size || e->size - offset < size ? NULL : e->data + offset;
}

static bool segment_head(const struct binary *e, uint32_t number, Elf64_Phdr *s)
{
	size_t size = ELF_WIDE_SIZE(Phdr, e->narrow);
	const uint8_t *at = number < e->head.e_phnum && e->head.e_phentsize == size ?
			    get(e, e->head.e_phoff + number * size, size) : NULL;

	if (at)
		*s = elf_wide_segment(at, e->narrow);
	return at != NULL;
}

static void find_loads(struct binary *e)
{
	Elf64_Phdr s;

	for (uint32_t i = 0; segment_head(e, i, &s) && e->load_count < BINARY_LOADS; i++)
		if (s.p_type == PT_LOAD)
			e->loads[e->load_count++] = (struct binary_load){ s.p_vaddr, s.p_filesz, s.p_offset };
}

bool binary_open(struct binary *e, const void *data, size_t size)
{
	const uint8_t *ident = data;

	*e = (struct binary){ .data = data, .size = size };
	if (!get(e, 0, EI_NIDENT) || memcmp(ident, ELFMAG, SELFMAG) != 0 || ident[EI_DATA] != ELFDATA2LSB ||
	    (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32))
		return false;
	e->narrow = ident[EI_CLASS] == ELFCLASS32;
	if (!get(e, 0, ELF_WIDE_SIZE(Ehdr, e->narrow)))
		return false;
	e->head = elf_wide_header(data, e->narrow);
	find_loads(e);
	return true;
}

static bool piece_at(const struct binary *e, uint64_t offset, uint64_t size, struct binary_piece *p)
{
	if (offset > e->size || e->size - offset < size)
		return false;
	p->offset = offset;
	p->bytes = (struct bytes){ .at = e->data + offset, .end = e->data + offset + size };
	return true;
}

/* ---- sections ---- */

static bool section_head(const struct binary *e, uint32_t number, Elf64_Shdr *s)
{
	size_t size = ELF_WIDE_SIZE(Shdr, e->narrow);
	const uint8_t *at = number < e->head.e_shnum && e->head.e_shentsize == size ?
			    get(e, e->head.e_shoff + number * size, size) : NULL;

	if (at)
		*s = elf_wide_section(at, e->narrow);
	return at != NULL;
}

static bool section_at(const struct binary *e, uint32_t number, bool packed, struct binary_piece *p)
{
	Elf64_Shdr s;

	if (!section_head(e, number, &s) || s.sh_type == SHT_NOBITS || !(s.sh_flags & SHF_COMPRESSED) == packed ||
	    !piece_at(e, s.sh_offset, s.sh_size, p))
		return false;
	p->address = s.sh_addr;
	p->type = s.sh_type;
	p->link = s.sh_link;
	p->entry = (uint32_t)s.sh_entsize;
	p->number = number;
	return true;
}

bool binary_section_number(const struct binary *e, uint32_t number, struct binary_piece *p)
{
	return section_at(e, number, false, p);
}

static bool section_named(const struct binary *e, const char *name, bool packed, struct binary_piece *p)
{
	struct binary_piece names;

	if (!binary_section_number(e, e->head.e_shstrndx, &names))
		return false;
	for (uint32_t i = 1; i < e->head.e_shnum; i++) {
		struct bytes text = names.bytes;
		Elf64_Shdr s;

		if (!section_head(e, i, &s))
			return false;
		bytes_take(&text, s.sh_name);
		if (strcmp(bytes_short_text(&text, MOST_SECTION_NAME), name) == 0 && !text.broken)
			return section_at(e, i, packed, p);
	}
	return false;
}

bool binary_section(const struct binary *e, const char *name, struct binary_piece *p)
{
	return section_named(e, name, false, p);
}

bool binary_section_packed(const struct binary *e, const char *name, struct binary_piece *p)
{
	return section_named(e, name, true, p);
}

bool binary_section_typed(const struct binary *e, uint32_t type, struct binary_piece *p)
{
	for (uint32_t i = 1; i < e->head.e_shnum; i++)
		if (binary_section_number(e, i, p) && p->type == type)
			return true;
	return false;
}

/* ---- segments ---- */

bool binary_segment(const struct binary *e, uint32_t type, struct binary_piece *p)
{
	Elf64_Phdr s;

	for (uint32_t i = 0; segment_head(e, i, &s); i++) {
		if (s.p_type != type || !piece_at(e, s.p_offset, s.p_filesz, p))
			continue;
		p->address = s.p_vaddr;
		p->type = type;
		return true;
	}
	return false;
}

bool binary_offset(const struct binary *e, uint64_t address, uint64_t *offset)
{
	for (const struct binary_load *l = e->loads; l < e->loads + e->load_count; l++) {
		if (address < l->address || address - l->address >= l->size)
			continue;
		*offset = l->offset + (address - l->address);
		return true;
	}
	return false;
}

bool binary_build_id(const struct binary *e, struct bytes *id)
{
	struct binary_piece notes;
	unsigned seen = 0;
	Elf64_Phdr s;

	for (uint32_t i = 0; segment_head(e, i, &s) && seen < MOST_NOTES; i++) {
		if (s.p_type != PT_NOTE || !++seen || !piece_at(e, s.p_offset, s.p_filesz, &notes))
			continue;
		while (bytes_left(&notes.bytes)) {
			uint64_t name = bytes_number(&notes.bytes, 4), size = bytes_number(&notes.bytes, 4);
			uint64_t type = bytes_number(&notes.bytes, 4);
			struct bytes owner = bytes_take(&notes.bytes, (name + 3) & ~3ull);

			*id = bytes_take(&notes.bytes, (size + 3) & ~3ull);
			if (notes.bytes.broken || size > bytes_left(id))
				break;
			id->end = id->at + size;
			if (type == NT_GNU_BUILD_ID && name == 4 && memcmp(owner.at, "GNU", 4) == 0)
				return true;
		}
	}
	return false;
}
