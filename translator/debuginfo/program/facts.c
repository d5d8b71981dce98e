/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties of a program: is it a library, where is it mapped, its thread-local storage, and
 * where its DWARF is. */
#include "facts.h"

#include <elf.h>

#include "debuginfo/dwarf/dwarf.h"
#include "image.h"

enum debuginfo_answer program_facts(struct debuginfo *d, struct program_facts *facts)
{
	struct program *p = d->program;
	const char *reason;
	enum debuginfo_answer opened = program_open(d, &reason);
	bool has_interpreter = false;
	Elf64_Ehdr h;
	Elf64_Phdr s;

	*facts = (struct program_facts){ .path = d->path };
	if (opened != DEBUGINFO_FOUND)
		return debuginfo_answered(d, opened, reason);
	image_header(&p->image, &h);
	facts->is_fixed = h.e_type == ET_EXEC;
	for (size_t i = 0; image_segment(&p->image, i, &s); i++) {
		has_interpreter |= s.p_type == PT_INTERP;
		if (s.p_type == PT_TLS) {
			facts->tls_size = s.p_memsz;
			facts->tls_align = s.p_align;
		}
	}
	facts->is_library = h.e_type == ET_DYN && !has_interpreter && !image_section(&p->image, ".preinit_array");
	if (dwarf_open(d, &reason) == DEBUGINFO_FOUND)
		facts->debug_path = d->dwarf->path;
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}
