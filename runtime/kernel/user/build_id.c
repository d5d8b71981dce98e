// SPDX-License-Identifier: GPL-2.0-or-later
/* The build ID of a program or library, from the ELF headers and notes that the process has mapped. What is there is
 * the program's business: each size is checked, and nothing is followed further than MOST says. */
#include "unwind.h"

#include <linux/elf.h>

#include "context.h"
#include "memory.h"

enum { BUILD_ID = 3, MOST_SEGMENTS = 32, MOST_NOTES = 16, MOST_ID = 64 };

/* A file that is mapped, or the part of it that holds notes. */
struct elf {
	struct tap_context *c;
	u64 start;
	bool is_narrow;
	u64 segments;			/* address of their table */
	u32 count;
	u64 first;			/* address of the first one according to the file */
};

struct segment {
	u32 type;
	u64 address, size;
};

static bool build_id_get(const struct elf *e, void *to, u64 from, u32 size)
{
	return tap_memory_copy(e->c, to, from, size, true);
}

static bool build_id_get_segment(const struct elf *e, u32 i, struct segment *s)
{
	struct elf32_phdr narrow;
	struct elf64_phdr wide;

	if (e->is_narrow) {
		if (!build_id_get(e, &narrow, e->segments + i * sizeof(narrow), sizeof(narrow)))
			return false;
		*s = (struct segment){ narrow.p_type, narrow.p_vaddr, narrow.p_filesz };
		return true;
	}
	if (!build_id_get(e, &wide, e->segments + i * sizeof(wide), sizeof(wide)))
		return false;
	*s = (struct segment){ wide.p_type, wide.p_vaddr, wide.p_filesz };
	return true;
}

static bool build_id_get_header(struct elf *e)
{
	union {
		struct elf32_hdr narrow;
		struct elf64_hdr wide;
	} h;

	if (!build_id_get(e, &h.narrow, e->start, sizeof(h.narrow)) || memcmp(h.narrow.e_ident, ELFMAG, SELFMAG))
		return false;
	e->is_narrow = h.narrow.e_ident[EI_CLASS] == ELFCLASS32;
	if (!e->is_narrow && !build_id_get(e, &h.wide, e->start, sizeof(h.wide)))
		return false;
	e->segments = e->start + (e->is_narrow ? h.narrow.e_phoff : h.wide.e_phoff);
	e->count = min_t(u32, e->is_narrow ? h.narrow.e_phnum : h.wide.e_phnum, MOST_SEGMENTS);
	return true;
}

/* The notes of a segment; the size of the ID, 0 if it is not there. */
static u32 build_id_find_note(const struct elf *e, const struct segment *s, u8 *id)
{
	u64 at = e->start + s->address - e->first, end = at + s->size;
	struct elf64_note note;			/* that of 32 bits is the same */
	char name[4];

	for (u32 i = 0; i < MOST_NOTES && at < end && build_id_get(e, &note, at, sizeof(note)); i++) {
		u64 text = at + sizeof(note), data = text + ALIGN((u64)note.n_namesz, 4);

		if (note.n_type == BUILD_ID && note.n_namesz == sizeof(name) && note.n_descsz <= MOST_ID &&
		    build_id_get(e, name, text, sizeof(name)) && !memcmp(name, "GNU", sizeof(name)) &&
		    build_id_get(e, id, data, note.n_descsz))
			return note.n_descsz;
		at = data + ALIGN((u64)note.n_descsz, 4);
	}
	return 0;
}

static u32 build_id_find_id(struct elf *e, u8 *id)
{
	struct segment s;
	bool any = false;
	u32 size = 0;

	for (u32 i = 0; i < e->count && !any && build_id_get_segment(e, i, &s); i++) {
		any = s.type == PT_LOAD;
		e->first = any ? s.address & PAGE_MASK : 0;
	}
	for (u32 i = 0; i < e->count && any && !size && build_id_get_segment(e, i, &s); i++)
		if (s.type == PT_NOTE)
			size = build_id_find_note(e, &s, id);
	return size;
}

struct tap_string tap_user_build_id(struct tap_context *c, u64 address)
{
	struct elf e = { .c = c, .start = tap_user_module_start(c, address) };
	u32 room = tap_script.limits.string, size;
	u8 id[MOST_ID];
	char *text;

	if (!e.start)
		return TAP_EMPTY;
	size = build_id_get_header(&e) ? build_id_find_id(&e, id) : 0;
	text = size ? tap_scratch(c, room) : NULL;
	if (!size)
		tap_error(c, "the file at 0x%llx has no build ID that can be read now", address);
	if (!text)
		return TAP_EMPTY;
	size = min(size, (room - 1) / 2);
	for (u32 i = 0; i < size; i++)
		scnprintf(text + 2 * i, 3, "%02x", id[i]);
	return (struct tap_string){ text, 2 * size };
}
