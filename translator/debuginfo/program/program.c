/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries: the file, its symbols, and its debug file. */
#include "program.h"

#include <elf.h>
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "arch/arch.h"
#include "debuginfo/dwarf/dwarf.h"
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

struct debuginfo *debuginfo_program(struct arena *a, const struct debuginfo_request *request,
				    const char *path)
{
	struct debuginfo *d = debuginfo_kernel(a, request);
	struct program *p = d->program = arena_new(a, struct program);

	d->path = arena_printf(a, "%s%s", d->request.sysroot, path);
	debuginfo_uses(d, d->path);
	/* Programs have no BTF, and it is no news. */
	d->btf_opened = true;
	d->btf_answer = DEBUGINFO_ABSENT;
	d->btf_reason = "";
	p->reason = "";
	p->answer = image_open_program(a, d->path, &p->image, &p->reason);
	if (p->answer == DEBUGINFO_FOUND && !take_machine(d))
		p->answer = DEBUGINFO_BROKEN;
	return d;
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
	program_entry_close(d->program);
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

/* ---- the debug file ---- */

static bool has_dwarf(const struct image *image)
{
	return image_section(image, ".debug_info") || image_section(image, ".zdebug_info");
}

/* A candidate: of the same build, or with the checksum that .gnu_debuglink asks for. */
static bool is_debug_file(struct debuginfo *d, const char *path, const uint32_t *checksum)
{
	const uint8_t *mine, *its;
	size_t n = image_build_id(&d->program->image, &mine);
	struct image image;
	const char *reason;
	bool good;

	if (!debuginfo_uses(d, path) || str_equal(path, d->path) ||
	    image_open_program(d->arena, path, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	if (n)
		good = image_build_id(&image, &its) == n && !memcmp(mine, its, n);
	else
		good = checksum && (uint32_t)crc32_z(0, image.bytes.data, image.bytes.size) == *checksum;
	image_close(&image);
	return good;
}

const char *debug_by_build_id(struct debuginfo *d, const uint8_t *id, size_t n)
{
	char hex[2 * 64 + 1];

	if (n < 3 || n > 64)
		return NULL;
	for (size_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	return arena_printf(d->arena, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", d->request.sysroot, hex,
			    hex + 2);
}

/* Beside the program, in .debug beside it, and under /usr/lib/debug where it is. */
static const char *by_link(struct debuginfo *d)
{
	const struct image_section *s = image_section(&d->program->image, ".gnu_debuglink");
	const char *name = s ? (const char *)s->bytes.data : NULL, *in_root = d->path + strlen(d->request.sysroot);
	size_t n = name ? strnlen(name, s->bytes.size) : 0, at = (n + 4) & ~(size_t)3;
	const char *candidates[3];
	uint32_t checksum;

	if (!n || n > 255 || at + 4 > s->bytes.size || memchr(name, '/', n))
		return NULL;
	checksum = load32(s->bytes.data + at);
	candidates[0] = arena_printf(d->arena, "%.*s%s", (int)(path_base(d->path) - d->path), d->path, name);
	candidates[1] = arena_printf(d->arena, "%.*s.debug/%s", (int)(path_base(d->path) - d->path), d->path, name);
	candidates[2] = arena_printf(d->arena, "%s/usr/lib/debug%.*s%s", d->request.sysroot,
				     (int)(path_base(in_root) - in_root), in_root, name);
	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++)
		if (is_debug_file(d, candidates[i], &checksum))
			return candidates[i];
	return NULL;
}

static const char *find_debug_file(struct debuginfo *d, const char **reason)
{
	const uint8_t *id;
	size_t n = image_build_id(&d->program->image, &id);
	const char *path = n ? debug_by_build_id(d, id, n) : NULL;

	if (path && is_debug_file(d, path, NULL))
		return path;
	path = by_link(d);
	if (path)
		return path;
	*reason = arena_printf(d->arena, "%s has no debug information, and no debug file of it is installed",
			       d->path);
	return n ? debuginfod_path(d, id, n, reason) : NULL;
}

/* NULL: the program's own. */
enum debuginfo_answer program_debug_path(struct debuginfo *d, const char **path, const char **reason)
{
	struct program *p = d->program;
	enum debuginfo_answer opened = program_open(d, reason);

	if (opened != DEBUGINFO_FOUND)
		return opened;
	*path = NULL;
	if (has_dwarf(&p->image))
		return DEBUGINFO_FOUND;
	if (!p->looked_for_debug) {
		p->looked_for_debug = true;
		p->debug_path = find_debug_file(d, &p->debug_reason);
	}
	*path = p->debug_path;
	*reason = p->debug_reason;
	return p->debug_path ? DEBUGINFO_FOUND : DEBUGINFO_ABSENT;
}

/* ---- symbols ---- */

/* xz in a section: a symbol table of what .dynsym lacks. */
static bool add_packed(struct debuginfo *d, struct symbol_list *l)
{
	const struct image_section *s = image_section(&d->program->image, ".gnu_debugdata");
	struct bytes unpacked;
	struct image image;
	const char *reason;
	bool good;

	if (!s || !s->bytes.size || !unpack(l->arena, &s->bytes, &unpacked, &reason))
		return false;
	if (image_of_bytes(l->arena, ".gnu_debugdata", unpacked, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	good = elf_program_symbols(&image, ".symtab", l);
	image_close(&image);
	return good;
}

static bool add_debug_file(struct debuginfo *d, struct symbol_list *l)
{
	struct image image;
	const char *path, *reason;
	bool good;

	if (program_debug_path(d, &path, &reason) != DEBUGINFO_FOUND || !path ||
	    image_open_program(l->arena, path, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	good = elf_program_symbols(&image, ".symtab", l);
	image_close(&image);
	return good;
}

/* Those that two tables have. Sorted by address. */
static void drop_doubles(struct symbol_list *l)
{
	size_t to = 0;

	for (size_t i = 0; i < l->symbols.n; i++) {
		const struct raw_symbol *s = &l->symbols.items[i];
		bool is_double = false;

		for (size_t j = to; j-- > 0 && l->symbols.items[j].address == s->address && !is_double;)
			is_double = str_equal(raw_symbol_name(l, &l->symbols.items[j]), raw_symbol_name(l, s));
		if (!is_double)
			l->symbols.items[to++] = *s;
	}
	l->symbols.n = to;
}

enum debuginfo_answer program_symbols(struct debuginfo *d, struct index *x, const char **reason)
{
	enum debuginfo_answer opened = program_open(d, reason);
	struct arena *a;
	struct symbol_list l;
	const uint8_t *id = NULL;
	size_t n;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	a = arena_open();
	symbol_list_init(&l, a);
	l.source = d->path + strlen(d->request.sysroot);
	/* .dynsym has nothing that .symtab has not. */
	if (!elf_program_symbols(&d->program->image, ".symtab", &l) && !add_debug_file(d, &l)) {
		if (!add_packed(d, &l))
			l.lacks = "functions that are not exported";
		elf_program_symbols(&d->program->image, ".dynsym", &l);
	}
	n = image_build_id(&d->program->image, &id);
	symbol_list_build_id(&l, id, n);
	symtab_classify_module(&l);
	drop_doubles(&l);
	if (l.symbols.n)
		index_build(x, &l);
	else
		*reason = arena_printf(d->arena, "%s: it has no symbols", d->path);
	opened = l.symbols.n ? DEBUGINFO_FOUND : DEBUGINFO_ABSENT;
	arena_close(a);
	return opened;
}
