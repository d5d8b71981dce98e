/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of debug information: found in the target's /usr/lib/debug or in the image itself, and
 * opened by libdwfl, which relocates those of modules. A kernel is linked to fixed addresses; for a
 * module libdwfl assigns addresses, which are converted to sections and offsets here. */
#include "dwarf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "walk.h"
#include "debuginfo/program/image.h"
#include "base/util.h"
#include "debuginfo/debuginfod.h"
#include "debuginfo/program/debug_file.h"
#include "debuginfo/symbols/files.h"
#include "debuginfo/symbols/module.h"
#include "debuginfo/symbols/symbols.h"
#include "staging/common/advice.h"

/* ---- files ---- */

static bool try_path(struct debuginfo *d, const char **out, const char *path)
{
	*out = path;
	return debuginfo_uses(d, path);
}

/* "/lib/modules/KREL/kernel/fs/ext4/ext4.ko" without the suffix of its compression. */
static const char *unpacked_name(struct debuginfo *d)
{
	const char *path = module_target_path(d);
	const char *end = strstr(path_base(path), ".ko");

	return arena_strndup(d->arena, path, end ? (size_t)(end + 3 - path) : strlen(path));
}

static const char *module_debug_path(struct debuginfo *d)
{
	const char *name, *root = d->request.sysroot, *path;
	struct arena *a = d->arena;

	if (!d->path)
		return NULL;
	name = unpacked_name(d);
	if (str_starts(name, "/usr/lib/"))
		name += 4;
	if (try_path(d, &path, arena_printf(a, "%s/usr/lib/debug%s", root, name)) ||
	    try_path(d, &path, arena_printf(a, "%s/usr/lib/debug%s.debug", root, name)) ||
	    try_path(d, &path, arena_printf(a, "%s/usr/lib/debug/usr%s", root, name)) ||
	    try_path(d, &path, arena_printf(a, "%s/usr/lib/debug/usr%s.debug", root, name)))
		return path;
	return str_ends(d->path, ".ko") ? d->path : NULL;
}

static const char *build_id_path(struct debuginfo *d, const struct debuginfo_facts *facts)
{
	const char *path = debug_by_build_id(d, facts->build_id, facts->build_id_size);

	return path && debuginfo_uses(d, path) ? path : NULL;
}

static const char *debug_path(struct debuginfo *d, const char **reason)
{
	const char *path = d->module ? module_debug_path(d) : debug_image_path(d), *by_id;
	struct debuginfo_facts facts;

	/* a module's own file rarely has DWARF */
	if ((path && !str_equal(path, d->path ? d->path : "")) || debuginfo_facts(d, &facts) != DEBUGINFO_FOUND)
		return path;
	by_id = build_id_path(d, &facts);
	if (!by_id && !path && facts.build_id_size)
		by_id = debuginfod_path(d, facts.build_id, facts.build_id_size, reason);
	return by_id ? by_id : path;
}

/* ---- opening ---- */

static Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *this = gelf_getshdr(scn, header) ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (this && str_equal(this, name))
			return scn;
	}
	return NULL;
}

/* The running kernel's addresses are randomized: use the address of the anchor in this file. */
static uint64_t find_anchor(Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *scn = section_named(elf, ".symtab", &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t n = data && header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < n; i++) {
		const char *name = gelf_getsym(data, (int)i, &sym) ?
				   elf_strptr(elf, header.sh_link, sym.st_name) : NULL;

		if (name && str_equal(name, TAP_ANCHOR) && sym.st_shndx != SHN_UNDEF)
			return sym.st_value;
	}
	return 0;
}

/* libdw has decompressed its own copy by now, so this does not affect it. */
Elf_Data *dwarf_section_data(Elf *elf, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *scn = section_named(elf, name, &header);

	if (!scn || (header.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0))
		return NULL;
	return elf_getdata(scn, NULL);
}

static struct bytes section_bytes(Elf *elf, const char *name)
{
	Elf_Data *data = dwarf_section_data(elf, name);

	return data && data->d_buf ? (struct bytes){ data->d_buf, data->d_size, 0 } : (struct bytes){ 0 };
}

void dwarf_read_sections(struct debuginfo *d, struct dwarf_sections *s)
{
	Elf *elf = d->dwarf->elf;

	*s = (struct dwarf_sections){
		.info = section_bytes(elf, ".debug_info"), .abbrev = section_bytes(elf, ".debug_abbrev"),
		.str = section_bytes(elf, ".debug_str"), .line = section_bytes(elf, ".debug_line"),
		.line_str = section_bytes(elf, ".debug_line_str"),
		.rnglists = section_bytes(elf, ".debug_rnglists"), .ranges = section_bytes(elf, ".debug_ranges"),
		.addr = section_bytes(elf, ".debug_addr"),
		.str_offsets = section_bytes(elf, ".debug_str_offsets"),
	};
}

/* The debug file was already found in the sysroot. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word checksum, char **found)
{
	(void)module, (void)name, (void)base, (void)file, (void)link, (void)checksum;
	if (!*data)
		return -1;
	*found = strdup(*data);
	return *found ? open(*found, O_RDONLY | O_CLOEXEC) : -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* The file into which dwz moved parts of several debug files: by the recorded path, relative to the
 * file that refers to it, or by build-id. */
static void find_shared(struct debuginfo *d, const char *path)
{
	struct dwarf_file *f = d->dwarf;
	const char *name, *by_name, *by_id;
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dw, &name, &id);
	int fd;

	if (n <= 0)
		return;
	by_name = name[0] == '/' ? arena_printf(d->arena, "%s%s", d->request.sysroot, name) :
		  arena_printf(d->arena, "%.*s%s", (int)(path_base(path) - path), path, name);
	by_id = debug_by_build_id(d, id, (size_t)n);
	if (!debuginfo_uses(d, by_name))
		by_name = by_id && debuginfo_uses(d, by_id) ? by_id : NULL;
	fd = by_name ? open(by_name, O_RDONLY | O_CLOEXEC) : -1;
	f->shared = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
	f->shared_fd = fd;
	if (f->shared)
		dwarf_setalt(f->dw, f->shared);
}

/* DEBUG: the file with the DWARF of PATH; NULL: PATH itself. */
static enum debuginfo_answer open_files(struct debuginfo *d, const char *path, const char *debug,
					const char **reason)
{
	struct dwarf_file *f = arena_new(d->arena, struct dwarf_file);
	Dwarf_Addr bias;
	GElf_Ehdr header;

	f->arena = d->arena;
	f->path = debug ? debug : path;
	f->shared_fd = -1;
	f->dwfl = dwfl_begin(&callbacks);
	if (f->dwfl) {
		dwfl_report_begin(f->dwfl);
		f->module = dwfl_report_offline(f->dwfl, "image", path, -1);
		dwfl_report_end(f->dwfl, NULL, NULL);
	}
	if (f->module && debug) {
		void **data;

		dwfl_module_info(f->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = (void *)(uintptr_t)debug;
	}
	/* libdwfl may assign another address to position-independent code; offsets are those in the
	 * file, without this bias */
	f->dw = f->module ? dwfl_module_getdwarf(f->module, &bias) : NULL;
	f->elf = f->dw ? dwarf_getelf(f->dw) : NULL;
	if (!f->elf || !gelf_getehdr(f->elf, &header)) {
		*reason = arena_printf(d->arena, "%s: %s", path, dwfl_errmsg(-1));
		dwfl_end(f->dwfl);
		return DEBUGINFO_ABSENT;
	}
	f->is_relocatable = header.e_type == ET_REL;
	if (!f->is_relocatable && !d->program)
		f->anchor = find_anchor(f->elf);
	d->dwarf = f;
	find_shared(d, f->path);
	return DEBUGINFO_FOUND;
}

enum debuginfo_answer dwarf_open_file(struct debuginfo *d, const char *path, const char **reason)
{
	return open_files(d, path, NULL, reason);
}

static enum debuginfo_answer open_program(struct debuginfo *d, const char **reason)
{
	const char *debug;
	enum debuginfo_answer found = program_debug_path(d, &debug, reason);

	return found == DEBUGINFO_FOUND ? open_files(d, d->path, debug, reason) : found;
}

/* Addresses of another build point into the middle of instructions. */
static bool is_same_build(struct debuginfo *d, const char **reason)
{
	struct debuginfo_facts facts;
	const unsigned char *id;
	GElf_Addr at;
	int size = dwfl_module_build_id(d->dwarf->module, &id, &at);

	if (size <= 0 || debuginfo_facts(d, &facts) != DEBUGINFO_FOUND || !facts.build_id_size ||
	    (facts.build_id_size == (uint32_t)size && !memcmp(id, facts.build_id, (size_t)size)))
		return true;
	*reason = arena_printf(d->arena, "%s is not from the same build as %s", d->dwarf->path, facts.source);
	return false;
}

static const char *no_kernel_file(struct debuginfo *d)
{
	const char *root = d->request.sysroot ? d->request.sysroot : "";
	_cleanup_free_ char *clause = advice_clause(ADVICE_DEBUG, d->request.release, root);

	return arena_printf(d->arena, "there is no debug file for kernel %s (%s)", d->request.release, clause);
}

static enum debuginfo_answer open_target(struct debuginfo *d, const char **reason)
{
	const char *path, *fetched = "";
	enum debuginfo_answer found;

	if (d->program)
		return open_program(d, reason);
	path = debug_path(d, &fetched);
	if (!path) {
		*reason = d->module ? arena_printf(d->arena, "there is no debug file for module %s", d->module) :
			  no_kernel_file(d);
		*reason = arena_printf(d->arena, "%s%s", *reason, fetched);
		return DEBUGINFO_ABSENT;
	}
	found = dwarf_open_file(d, path, reason);
	if (found != DEBUGINFO_FOUND || is_same_build(d, reason))
		return found;
	dwarf_close(d);
	return DEBUGINFO_ABSENT;
}

enum debuginfo_answer dwarf_open(struct debuginfo *d, const char **reason)
{
	if (!d->dwarf_opened) {
		d->dwarf_opened = true;
		d->dwarf_reason = "";
		d->dwarf_answer = open_target(d, &d->dwarf_reason);
	}
	*reason = d->dwarf_reason;
	return d->dwarf_answer;
}

void dwarf_close(struct debuginfo *d)
{
	if (!d->dwarf)
		return;
	dwfl_end(d->dwarf->dwfl);
	dwarf_end(d->dwarf->shared);
	if (d->dwarf->shared_fd >= 0)
		close(d->dwarf->shared_fd);
	d->dwarf = NULL;
}

/* ---- addresses ---- */

bool dwarf_address(struct dwarf_file *f, const char *section, int64_t offset, Dwarf_Addr *address)
{
	GElf_Shdr header;

	if (!f->is_relocatable) {
		*address = f->anchor + (uint64_t)offset;
		return !section;
	}
	if (!section || !section_named(f->elf, section, &header))
		return false;
	*address = header.sh_addr + (uint64_t)offset;
	return true;
}

bool dwarf_offset(struct dwarf_file *f, Dwarf_Addr address, const char **section, int64_t *offset)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t names;

	*section = NULL;
	*offset = (int64_t)(address - f->anchor);
	if (!f->is_relocatable)
		return true;
	if (elf_getshdrstrndx(f->elf, &names))
		return false;
	while ((scn = elf_nextscn(f->elf, scn))) {
		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    address < header.sh_addr || address - header.sh_addr >= header.sh_size)
			continue;
		*section = elf_strptr(f->elf, names, header.sh_name);
		*offset = (int64_t)(address - header.sh_addr);
		return *section != NULL;
	}
	return false;
}

/* ---- DIEs ---- */

/* The bits above the offset: the number of the file, and whether the DIE is in .debug_types. */
enum { OTHER_SHIFT = 44, OTHERS_MOST = 2047, TYPES_SHIFT = 55 };

static bool in_types_section(Dwarf_Die *die)
{
	Dwarf_Half version;
	uint8_t kind;

	return dwarf_cu_info(die->cu, &version, &kind, NULL, NULL, NULL, NULL, NULL) == 0 && version < 5 &&
	       kind == DW_UT_type;
}

uint64_t dwarf_id(struct dwarf_file *f, Dwarf_Die *die)
{
	Dwarf *dw = dwarf_cu_getdwarf(die->cu);
	uint64_t id = dwarf_dieoffset(die) | (uint64_t)in_types_section(die) << TYPES_SHIFT;
	size_t i = 0;

	if (dw == f->dw)
		return id;
	while (i < f->others.n && f->others.items[i] != dw)
		i++;
	if (i == OTHERS_MOST)
		return 0;
	if (i == f->others.n)
		*vec_add(f->arena, &f->others) = dw;
	return id | (uint64_t)(i + 1) << OTHER_SHIFT;
}

bool dwarf_die(struct dwarf_file *f, uint64_t id, Dwarf_Die *die)
{
	size_t other = id >> OTHER_SHIFT & OTHERS_MOST;
	Dwarf_Off offset = id & (((uint64_t)1 << OTHER_SHIFT) - 1);
	Dwarf *dw = f->dw;

	if (!id || other > f->others.n)
		return false;
	if (other)
		dw = f->others.items[other - 1];
	return id >> TYPES_SHIFT & 1 ? dwarf_offdie_types(dw, offset, die) != NULL :
				       dwarf_offdie(dw, offset, die) != NULL;
}

void dwarf_whole_unit(Dwarf_Die *unit)
{
	Dwarf_Half version;
	uint8_t kind;
	Dwarf_Die split;

	if (dwarf_cu_info(unit->cu, &version, &kind, NULL, &split, NULL, NULL, NULL) == 0 &&
	    kind == DW_UT_skeleton && split.addr)
		*unit = split;
}

bool dwarf_has_more(struct dwarf_file *f)
{
	return dwarf_getalt(f->dw) || dwarf_section_data(f->elf, ".debug_types");
}

bool dwarf_entry_of(Dwarf_Die *die, Dwarf_Addr *entry)
{
	Dwarf_Addr base, end;

	if (dwarf_entrypc(die, entry) == 0)
		return true;
	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, entry, &end)) > 0;)
		if (*entry < end)
			return true;
	return false;
}

static bool has_code_at(struct dwarf_file *f, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	uint8_t kind;

	if (dwarf_addrdie(f->dw, address, unit))
		return true;
	/* clang writes no .debug_aranges */
	while (dwarf_get_units(f->dw, cu, &cu, NULL, &kind, unit, NULL) == 0)
		if ((kind == DW_UT_compile || kind == DW_UT_skeleton) && dwarf_haspc(unit, address) > 0)
			return true;
	return false;
}

bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr address, Dwarf_Die *unit)
{
	if (!has_code_at(f, address, unit))
		return false;
	dwarf_whole_unit(unit);
	return true;
}

/* Not dwarf_decl_file(): it takes DWARF 5's first file, number 0, for a missing one, and aborts the
 * process if there is no table of files. */
const char *dwarf_file_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attr) || dwarf_formudata(&attr, &number) ||
	    dwarf_cu_info(attr.cu, NULL, NULL, &unit, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &n) || number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}
