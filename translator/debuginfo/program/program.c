/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries: finding the file, and what its headers tell. */
#include "program.h"

#include <elf.h>
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "image.h"
#include "base/util.h"

static const char *why_not_run(const struct debuginfo *d)
{
	const struct image *image = &d->program->image;
	const struct arch *arch = d->request.arch;

	if (image->is_narrow && image->machine == EM_X86_64)
		return arena_printf(d->arena, "%s: it is a program of the x32 ABI, which is not supported", d->path);
	if (image->is_narrow && image->machine == EM_ARM && !arch->narrow)
		return arena_printf(d->arena, "%s: it is a 32-bit program, and on %s only those of 64 bits are supported",
				    d->path, arch->name);
	return arena_printf(d->arena, "%s: it is for another machine than %s", d->path, arch->name);
}

/* False: what was read is no program for this kernel. Else its machine is the program's from now on: pointers,
 * registers and arguments of a 32-bit program are not like the kernel's. */
static bool take_machine(struct debuginfo *d)
{
	struct program *p = d->program;
	const struct arch *arch = arch_of_program(d->request.arch, p->image.machine, p->image.is_narrow);

	if (p->image.is_relocatable || !p->image.sections) {
		p->reason = arena_printf(d->arena, "%s: it is no program", d->path);
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
	/* Programs have no BTF, and it is no news. */
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

/* ---- where files are ---- */

const char *program_find(struct arena *a, const struct debuginfo_request *request, const char *name)
{
	const char *root = request->sysroot ? request->sysroot : "", *file;
	const char *path = request->path ? request->path : getenv("PATH");

	if (strchr(name, '/')) {
		file = arena_printf(a, "%s%s", root, name);
		return file_exists(file) ? file : NULL;
	}
	for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
		size_t n = strcspn(path, ":");

		file = arena_printf(a, "%s%.*s/%s", root, (int)n, path, name);
		if (n && file_exists(file))
			return file;
		path += n;
	}
	return NULL;
}

bool program_is_of(const char *path, const struct arch *arch)
{
	Elf32_Ehdr h;			/* as far as this goes, that of 64 bits is like it */
	FILE *f = fopen(path, "re");
	bool good = f && fread(&h, offsetof(Elf32_Ehdr, e_version), 1, f) == 1 && !memcmp(h.e_ident, ELFMAG, SELFMAG);

	if (f)
		fclose(f);
	return good && h.e_machine == arch->elf_machine &&
	       h.e_ident[EI_CLASS] == (arch->word == 4 ? ELFCLASS32 : ELFCLASS64);
}

static const char *first_match(struct arena *a, const char *pattern, const struct arch *arch)
{
	const char *found = NULL;
	glob_t g;

	if (glob(pattern, 0, NULL, &g) == 0)	/* dangling links, too */
		for (size_t i = 0; i < g.gl_pathc && !found; i++)
			found = program_is_of(g.gl_pathv[i], arch) ? arena_strdup(a, g.gl_pathv[i]) : NULL;
	globfree(&g);
	return found;
}

static const char *find_library(struct arena *a, const char *root, const char *name, const struct arch *arch)
{
	static const char *const dirs[] = {
		"/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/lib32",
		"/usr/lib32", "/usr/local/lib",
	};
	static const char *const forms[] = { "%s%s/%s", "%s%s/%s.so", "%s%s/%s.so.*", "%s%s/lib%s.so",
					     "%s%s/lib%s.so.*" };
	const char *found;

	for (size_t f = 0; f < ARRAY_SIZE(forms); f++)
		for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
			char pattern[4096];

			snprintf(pattern, sizeof(pattern), forms[f], root, dirs[i], name);
			found = first_match(a, pattern, arch);
			if (found)
				return found;
		}
	return NULL;
}

const char *program_find_library(struct arena *a, const struct debuginfo_request *request, const char *name,
				 const struct arch *arch)
{
	const struct arch *kernel = request->arch ? request->arch : arch_host();
	const char *root = request->sysroot ? request->sysroot : "", *found;

	if (strchr(name, '/'))
		return program_find(a, request, name);
	found = find_library(a, root, name, arch ? arch : kernel);
	return !found && !arch && kernel->narrow ? find_library(a, root, name, kernel->narrow) : found;
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

/* Parts of the file may be mapped twice: code counts. */
bool program_address(struct debuginfo *d, uint64_t offset, uint64_t *address)
{
	const char *reason;
	bool found = false;
	Elf64_Phdr s;

	if (program_open(d, &reason) != DEBUGINFO_FOUND)
		return false;
	for (size_t i = 0; image_segment(&d->program->image, i, &s); i++) {
		if (s.p_type != PT_LOAD || offset < s.p_offset || offset - s.p_offset >= s.p_filesz ||
		    (found && !(s.p_flags & PF_X)))
			continue;
		*address = offset - s.p_offset + s.p_vaddr;
		found = true;
	}
	return found;
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
