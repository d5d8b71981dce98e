/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations on object files in memory that the build needs. The images may be of another
 * architecture: gelf hides word size and byte order. */
#include "object.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

static bool is_object(Elf *elf)
{
	return elf && elf_kind(elf) == ELF_K_ELF;
}

static Elf *object_open(const char *image, size_t size)
{
	elf_version(EV_CURRENT);
	/* libelf writes through the pointer only on request */
	return elf_memory((char *)image, size);
}

static void table_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *head,
			  void (*each)(void *data, const char *name, bool defined), void *data)
{
	Elf_Data *table = elf_getdata(section, NULL);
	size_t n = head->sh_entsize ? head->sh_size / head->sh_entsize : 0;

	for (size_t i = 0; table && i < n; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(table, (int)i, &symbol) ||
		    GELF_ST_BIND(symbol.st_info) == STB_LOCAL ||
		    (symbol.st_shndx == SHN_UNDEF && GELF_ST_BIND(symbol.st_info) == STB_WEAK))
			continue;
		name = elf_strptr(elf, head->sh_link, symbol.st_name);
		if (name && *name)
			each(data, name, symbol.st_shndx != SHN_UNDEF);
	}
}

bool object_symbols(const char *image, size_t size, void (*each)(void *data, const char *name, bool defined),
		    void *data)
{
	Elf *elf = object_open(image, size);
	bool good = is_object(elf);

	for (Elf_Scn *section = NULL; good && (section = elf_nextscn(elf, section));) {
		GElf_Shdr head;

		if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
			table_symbols(elf, section, &head, each, data);
	}
	elf_end(elf);
	return good;
}

/* Overwrite the string FROM in a section and pad it with NUL bytes: the kernel and kmod skip runs
 * of NUL in .modinfo. With a PREFIX, FROM must follow it at the start of a string. */
static bool replace(char *section, size_t size, const char *prefix, const char *from, const char *to)
{
	size_t before = strlen(prefix), n = strlen(from);

	for (char *p = section; p + before + n < section + size; p++) {
		if (memcmp(p, prefix, before) != 0 || memcmp(p + before, from, n + 1) != 0)
			continue;
		if (before && p > section && p[-1])
			continue;
		memset(p + before, 0, n);
		memcpy(p + before, to, strlen(to));
		return true;
	}
	return false;
}

bool object_rename_module(char *image, size_t size, const char *from, const char *to)
{
	bool in_module = false, in_modinfo = false;
	Elf *elf = object_open(image, size);
	size_t names;

	if (strlen(to) > strlen(from) || !is_object(elf) || elf_getshdrstrndx(elf, &names) < 0) {
		elf_end(elf);
		return false;
	}
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr head;
		const char *name;

		if (!gelf_getshdr(section, &head) || head.sh_type == SHT_NOBITS ||
		    head.sh_offset > size || head.sh_size > size - head.sh_offset)
			continue;
		name = elf_strptr(elf, names, head.sh_name);
		if (name && strcmp(name, ".gnu.linkonce.this_module") == 0)
			in_module = replace(image + head.sh_offset, head.sh_size, "", from, to);
		else if (name && strcmp(name, ".modinfo") == 0)
			in_modinfo = replace(image + head.sh_offset, head.sh_size, "name=", from, to);
	}
	elf_end(elf);
	return in_module && in_modinfo;
}
