/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of a program's .plt. What function one calls is told by the word that it jumps through, which
 * a relocation fills: so linkers may lay it out as they like (lazy, with landing pads, .plt.sec,
 * .plt.got). */
#include "plt.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/chain.h"
#include "image.h"
#include "staging/common/elf_wide.h"
#include "base/util.h"

struct slot {
	uint64_t at;			/* address of the word */
	const char *name;
};
struct program_slots { VEC(struct slot) list; };

static const char *symbol_name(const struct image *image, const struct image_section *relocations, uint32_t symbol)
{
	const struct image_section *symbols, *names;
	size_t size = ELF_WIDE_SIZE(Sym, image->is_narrow);
	const uint8_t *p;
	Elf64_Sym s;

	if (relocations->link >= image->section_count)
		return NULL;
	symbols = &image->sections[relocations->link];
	p = bytes_at(&symbols->bytes, symbol * size, size);
	if (!symbol || !p || symbols->link >= image->section_count)
		return NULL;
	s = elf_wide_symbol(p, image->is_narrow);
	names = &image->sections[symbols->link];
	if (s.st_name >= names->bytes.size ||
	    !memchr(names->bytes.data + s.st_name, '\0', names->bytes.size - s.st_name))
		return NULL;
	return (const char *)names->bytes.data + s.st_name;
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void read_relocations(struct arena *a, const struct image *image, const struct image_section *s,
			     struct program_slots *slots)
{
	bool narrow = image->is_narrow;
	size_t size = s->type == SHT_RELA ? ELF_WIDE_SIZE(Rela, narrow) : ELF_WIDE_SIZE(Rel, narrow);

	for (uint64_t at = 0; bytes_at(&s->bytes, at, size); at += size) {
		Elf64_Rel r = elf_wide_relocation(s->bytes.data + at, narrow);
		const char *name = symbol_name(image, s, (uint32_t)ELF64_R_SYM(r.r_info));

		if (name && *name)
			*vec_add(a, &slots->list) = (struct slot){ r.r_offset, name };
	}
}

static struct program_slots *read_slots(struct arena *a, const struct image *image)
{
	struct program_slots *slots = arena_new(a, struct program_slots);

	for (size_t i = 0; i < image->section_count; i++) {
		const struct image_section *s = &image->sections[i];

		if ((s->type == SHT_RELA || s->type == SHT_REL) && s->flags & SHF_ALLOC)
			read_relocations(a, image, s, slots);
	}
	if (slots->list.n)
		qsort(slots->list.items, slots->list.n, sizeof(struct slot), compare_slots);
	return slots;
}

const char *program_slot(struct debuginfo *d, uint64_t address)
{
	struct program *program = d->program;
	struct slot key = { .at = address }, *found = NULL;
	const struct program_slots *slots;

	if (!program->slots)
		program->slots = read_slots(d->arena, &program->image);
	slots = program->slots;
	if (slots->list.n)
		found = bsearch(&key, slots->list.items, slots->list.n, sizeof(key), compare_slots);
	return found ? found->name : NULL;
}

/* x86: "jmp *slot(%rip)" in the entry of SIZE bytes at ADDRESS. */
static uint64_t x86_slot(const uint8_t *entry, uint64_t size, uint64_t address)
{
	for (uint64_t i = 0; i + 6 <= size; i++)
		if (entry[i] == 0xff && entry[i + 1] == 0x25)
			return address + i + 6 + (uint64_t)(int64_t)(int32_t)load32(entry + i + 2);
	return 0;
}

uint64_t program_offset_table(struct debuginfo *d)
{
	const struct image_section *s = image_section(&d->program->image, ".got.plt");

	if (!s)
		s = image_section(&d->program->image, ".got");
	return s ? s->address : 0;
}

/* i386: "jmp *slot", and "jmp *distance(%ebx)" from the offset table. */
static uint64_t i386_slot(struct debuginfo *d, const uint8_t *entry, uint64_t size)
{
	for (uint64_t i = 0; i + 6 <= size; i++) {
		if (entry[i] == 0xff && entry[i + 1] == 0x25)
			return load32(entry + i + 2);
		if (entry[i] == 0xff && entry[i + 1] == 0xa3)
			return program_offset_table(d) + (uint64_t)(int64_t)(int32_t)load32(entry + i + 2);
	}
	return 0;
}

/* arm64: "adrp x16, page; ldr x17, [x16, #offset]". */
static uint64_t arm64_slot(const uint8_t *entry, uint64_t size, uint64_t address)
{
	for (uint64_t i = 0; i + 8 <= size; i += 4) {
		uint32_t adrp = load32(entry + i), ldr = load32(entry + i + 4);
		uint64_t pages;

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		pages = (adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2;
		pages = (uint64_t)((int64_t)(pages << 43) >> 43);
		return ((address + i) & ~(uint64_t)0xfff) + (pages << 12) + (ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

/* Of the header and of entries; 0: it cannot be told. The section's own figure is that of the entries,
 * on arm64 with landing pads of nothing. */
static uint64_t entry_size(const struct image *image, const struct image_section *s, uint64_t *header)
{
	*header = 0;
	if (image->machine == EM_386)		/* linkers have 4 there for .plt */
		return s->entry_size >= 8 ? s->entry_size : 16;
	if (image->machine != EM_AARCH64)
		return s->entry_size ? s->entry_size : 16;
	*header = 32;
	return s->bytes.size > 36 && (s->bytes.size - 32) % 24 == 0 && load32(s->bytes.data + 32) == 0xd503245f ?
	       24 : 16;
}

static uint64_t slot_of(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address)
{
	switch (d->program->image.machine) {
	case EM_AARCH64: return arm64_slot(entry, size, address);
	case EM_386: return i386_slot(d, entry, size);
	default: return x86_slot(entry, size, address);
	}
}

static void add_entries(struct debuginfo *d, const struct image_section *s, const char *pattern,
			struct program_plts *found)
{
	const struct image *image = &d->program->image;
	uint64_t header, size = entry_size(image, s, &header);

	for (uint64_t at = header; size <= 64 && at + size <= s->bytes.size; at += size) {
		struct program_plt p = { .address = s->address + at };
		const uint8_t *entry = s->bytes.data + at;

		p.name = program_slot(d, slot_of(d, entry, size, p.address));
		if (p.name && glob_match(pattern, p.name) && program_file_offset(d, p.address, &p.offset))
			*vec_add(d->arena, &found->list) = p;
	}
}

enum debuginfo_answer program_plts(struct debuginfo *d, const char *pattern, struct program_plts *found)
{
	static const char *const sections[] = { ".plt.sec", ".plt", ".plt.got" };
	const char *reason;
	enum debuginfo_answer opened = program_open(d, &reason);
	size_t before = found->list.n;

	if (opened != DEBUGINFO_FOUND)
		return debuginfo_answered(d, opened, reason);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		const struct image_section *s = image_section(&d->program->image, sections[i]);

		/* With .plt.sec the entries of .plt are for binding only. */
		if (s && !(i == 1 && image_section(&d->program->image, sections[0])))
			add_entries(d, s, pattern, found);
	}
	if (found->list.n > before)
		return debuginfo_answered(d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(d, DEBUGINFO_ABSENT,
				  arena_printf(d->arena, "%s calls no function '%s' of another file through its .plt",
					       d->path, pattern));
}
