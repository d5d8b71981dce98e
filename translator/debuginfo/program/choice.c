/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that are selected when a program is loaded (symbols of type STT_GNU_IFUNC: memcpy, strlen). The
 * symbol belongs to the resolver, which runs once per process; later calls go to the function that it returned.
 * The candidates are found in its code: it computes the address of each relative to itself, as a constant if
 * the file is not relocated, or from a word that a relocation fills. Only addresses at which a function is
 * known to start count, from the symbol table or, in stripped files, from the call frame information. */
#include "choice.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "image.h"
#include "base/util.h"
#include "plt.h"
#include "facts.h"
#include "debuginfo/symbols/symbols.h"

enum { MOST_CODE = 4096, MOST_CHOICES = 64 };

/* ---- addresses ---- */

/* Does a row of call frame information begin at ADDRESS, as at the start of a function? */
static bool begins_frame(struct choosing *c, uint64_t address)
{
	const struct bytes *file = &c->d->program->image.bytes;
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start = 0, end;
	bool is_signal, good;

	if (!c->elf) {
		elf_version(EV_CURRENT);
		c->elf = elf_memory((char *)file->data, file->size);
		c->frames = c->elf ? dwarf_getcfi_elf(c->elf) : NULL;
	}
	good = c->frames && dwarf_cfi_addrframe(c->frames, address, &frame) == 0 &&
	       dwarf_frame_info(frame, &start, &end, &is_signal) >= 0 && start == address;
	free(frame);
	return good;
}

static bool is_code(const struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->section_count; i++) {
		const struct image_section *s = &image->sections[i];

		if (s->flags & SHF_EXECINSTR && address >= s->address && address - s->address < s->size)
			return true;
	}
	return false;
}

/* Functions of the vDSO are looked up by name. */
static bool is_vdso_name(const struct image *image, uint64_t address)
{
	static const char *const names[] = { "__vdso_", "__kernel_" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const uint8_t *p = image_at(image, address, strlen(names[i]));

		if (p && !memcmp(p, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

static void add_choice(struct choosing *c, const struct symbol *s)
{
	for (size_t i = c->before; i < c->found->list.n; i++)
		if (c->found->list.items[i].offset == s->offset)
			return;
	if (c->found->list.n - c->before < MOST_CHOICES)
		*vec_add(c->d->arena, &c->found->list) = *s;
}

void choice_of_address(struct choosing *c, uint64_t address)
{
	const struct symbol *chooser = c->chooser;
	struct symbol s;

	if (address - chooser->address < chooser->size)
		return;
	if (!is_code(&c->d->program->image, address)) {
		c->outside |= is_vdso_name(&c->d->program->image, address);
		return;
	}
	if (debuginfo_symbol_at(c->d, NULL, (int64_t)address, &s) != DEBUGINFO_FOUND || s.address != address) {
		if (!begins_frame(c, address))
			return;
		s = *chooser;
		s.offset = (int64_t)address;
		s.address = address;
		s.size = 0;
	}
	s.flags = (s.flags & ~SYMBOL_CHOOSER) | (chooser->flags & SYMBOL_GLOBAL);
	add_choice(c, &s);
}

void choice_of_word(struct choosing *c, uint64_t address)
{
	const char *name = program_slot(c->d, address);
	struct symbols named = { 0 };

	if (!name || debuginfo_functions(c->d, name, &named) != DEBUGINFO_FOUND)
		return;
	vec_each(s, &named.list)
		if (!(s->flags & SYMBOL_CHOOSER))
			add_choice(c, s);
}

size_t program_choices(struct debuginfo *d, const struct symbol *chooser, struct symbols *found, bool *outside)
{
	struct choosing c = { .d = d, .chooser = chooser, .found = found, .before = found->list.n };
	uint64_t size = chooser->size < MOST_CODE ? chooser->size : MOST_CODE;
	const struct image *image = &d->program->image;
	const uint8_t *code = image_at(image, chooser->address, size);
	struct program_facts facts;

	*outside = false;
	if (!code || program_facts(d, &facts) != DEBUGINFO_FOUND)
		return 0;
	c.is_fixed = facts.is_fixed;
	d->request.arch->choices(&c, code, size);
	if (c.frames)
		dwarf_cfi_end(c.frames);
	if (c.elf)
		elf_end(c.elf);
	*outside = c.outside;
	return found->list.n - c.before;
}
