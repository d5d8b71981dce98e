/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's instructions for the dynamic loader: the libraries that it is linked with, and where
 * to look for them. */
#include "links.h"

#include <elf.h>
#include <string.h>

#include "debuginfo/chain.h"
#include "image.h"
#include "staging/common/elf_wide.h"

static const char *name_at(const struct bytes *names, uint64_t at)
{
	return at < names->size && memchr(names->data + at, '\0', names->size - at) ?
	       (const char *)names->data + at : NULL;
}

enum debuginfo_answer program_links(struct debuginfo *d, struct program_links *links)
{
	const char *reason, *name;
	enum debuginfo_answer opened = program_open(d, &reason);
	const struct image *image = &d->program->image;
	const struct image_section *dynamic;
	Elf64_Dyn e;
	size_t size;

	*links = (struct program_links){ 0 };
	if (opened != DEBUGINFO_FOUND)
		return debuginfo_answered(d, opened, reason);
	dynamic = image_section(image, ".dynamic");
	if (!dynamic || dynamic->link >= image->section_count)
		return debuginfo_answered(d, DEBUGINFO_ABSENT,
					  arena_printf(d->arena, "%s: it is not linked with any library", d->path));
	size = ELF_WIDE_SIZE(Dyn, image->is_narrow);
	for (uint64_t at = 0; bytes_at(&dynamic->bytes, at, size); at += size) {
		e = elf_wide_dynamic(dynamic->bytes.data + at, image->is_narrow);
		name = name_at(&image->sections[dynamic->link].bytes, e.d_un.d_val);
		if (name && e.d_tag == DT_NEEDED)
			*vec_add(d->arena, &links->libraries) = arena_strdup(d->arena, name);
		else if (name && (e.d_tag == DT_RUNPATH || e.d_tag == DT_RPATH))
			links->path = arena_strdup(d->arena, name);
	}
	return debuginfo_answered(d, DEBUGINFO_FOUND, "");
}
