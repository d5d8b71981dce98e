/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries: finding the file, and reading its headers. */
#include "program.h"

#include <elf.h>
#include <stdio.h>

#include "arch/arch.h"
#include "image.h"

static const char *why_not_run(const struct debuginfo *d)
{
	const struct image *image = &d->program->image;
	const struct arch *arch = d->request.arch;

	if (image->is_narrow && image->machine == EM_X86_64)
		return arena_printf(d->arena, "%s: it is a program of the x32 ABI, which is not supported", d->path);
	if (image->is_narrow && image->machine == EM_ARM && !arch->narrow)
		return arena_printf(d->arena, "%s: it is a 32-bit program, and on %s only 64-bit programs are supported",
				    d->path, arch->name);
	return arena_printf(d->arena, "%s: it is for a machine other than %s", d->path, arch->name);
}

/* False: the file is not a program for this kernel. Otherwise D's architecture is that of the program
 * from now on: pointers, registers and arguments of a 32-bit program differ from the kernel's. */
static bool take_machine(struct debuginfo *d)
{
	struct program *p = d->program;
	const struct arch *arch = arch_of_program(d->request.arch, p->image.machine, p->image.is_narrow);

	if (p->image.is_relocatable || !p->image.sections) {
		p->reason = arena_printf(d->arena, "%s: it is not a program", d->path);
		return false;
	}
	if (!arch) {
		p->reason = why_not_run(d);
		return false;
	}
	d->request.arch = arch;
	return true;
}

void program_load(struct debuginfo *d, const char *path)
{
	struct program *p = d->program = arena_new(d->arena, struct program);

	d->path = arena_printf(d->arena, "%s%s", d->request.sysroot, path);
	debuginfo_uses(d, d->path);
	/* programs never have BTF, so no reason is given */
	d->btf_opened = true;
	d->btf_answer = DEBUGINFO_ABSENT;
	d->btf_reason = "";
	p->reason = "";
	p->answer = image_open_program(d->arena, d->path, &p->image, &p->reason);
	if (p->answer == DEBUGINFO_FOUND && !take_machine(d))
		p->answer = DEBUGINFO_BROKEN;
}

enum debuginfo_answer program_open(struct debuginfo *d, const char **reason)
{
	*reason = d->program->reason;
	return d->program->answer;
}

void program_close(struct debuginfo *d)
{
	if (!d->program)
		return;
	image_close(&d->program->image);
}

/* ---- segments ---- */

bool program_file_offset(struct debuginfo *d, uint64_t address, uint64_t *offset)
{
	const char *reason;
	Elf64_Phdr s;

	if (program_open(d, &reason) != DEBUGINFO_FOUND)
		return false;
	for (size_t i = 0; image_segment(&d->program->image, i, &s); i++)
		if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz) {
			*offset = address - s.p_vaddr + s.p_offset;
			return true;
		}
	return false;
}

bool program_code_start(struct debuginfo *d, uint64_t *address)
{
	const char *reason;
	bool found = false;
	Elf64_Phdr s;

	if (program_open(d, &reason) != DEBUGINFO_FOUND)
		return false;
	for (size_t i = 0; image_segment(&d->program->image, i, &s); i++)
		if (s.p_type == PT_LOAD && s.p_flags & PF_X && (!found || s.p_vaddr < *address)) {
			*address = s.p_vaddr;
			found = true;
		}
	return found;
}

bool program_build_id(struct debuginfo *d, const uint8_t **id, size_t *size, uint64_t *offset)
{
	const char *reason;

	if (program_open(d, &reason) != DEBUGINFO_FOUND)
		return false;
	*size = image_build_id(&d->program->image, id);
	if (!*size)
		return false;
	*offset = (uint64_t)(*id - d->program->image.bytes.data);
	return *offset < d->program->image.bytes.size;
}
