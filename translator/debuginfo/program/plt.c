/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of a program's .plt. The function that an entry calls is identified by the word that it
 * jumps through, which a relocation fills. So this does not depend on the linker's layout (lazy,
 * with landing pads, .plt.sec, .plt.got). */
#include "plt.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
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

uint64_t program_offset_table(struct debuginfo *d)
{
	const struct image_section *s = image_section(&d->program->image, ".got.plt");

	if (!s)
		s = image_section(&d->program->image, ".got");
	return s ? s->address : 0;
}

static void add_entries(struct debuginfo *d, const struct image_section *s, const char *pattern,
			struct program_plts *found)
{
	const struct arch *arch = d->request.arch;
	uint64_t header = 0, size = arch->plt_entry(s, &header);

	for (uint64_t at = header; size <= 64 && at + size <= s->bytes.size; at += size) {
		struct program_plt p = { .address = s->address + at };
		const uint8_t *entry = s->bytes.data + at;

		p.name = program_slot(d, arch->plt_slot(d, entry, size, p.address));
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

		/* with .plt.sec, the entries of .plt are only used for binding */
		if (s && !(i == 1 && image_section(&d->program->image, sections[0])))
			add_entries(d, s, pattern, found);
	}
	if (found->list.n > before)
		return debuginfo_answered(d, DEBUGINFO_FOUND, "");
	return debuginfo_answered(d, DEBUGINFO_ABSENT,
				  arena_printf(d->arena, "%s calls no function '%s' of another file through its .plt",
					       d->path, pattern));
}
