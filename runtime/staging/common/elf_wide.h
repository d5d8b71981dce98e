/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads 32-bit and 64-bit ELF files alike. The records of a 32-bit ELF file have the same members as those of a
 * 64-bit file, in narrower fields and another order. A reader takes the size of a record, checks that the
 * record is inside the file, and gets it as a 64-bit record. NARROW: the file is a 32-bit file. */
#ifndef STAGING_ELF_WIDE_H
#define STAGING_ELF_WIDE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The size in the file of a record of KIND: Ehdr, Phdr, Shdr, Sym, Rel, Rela, Dyn or Chdr. */
#define ELF_WIDE_SIZE(kind, narrow) ((narrow) ? sizeof(Elf32_##kind) : sizeof(Elf64_##kind))

/* Returns a copy of a 64-bit record; leaves a 32-bit record in s for the caller to widen. */
#define ELF_WIDE_READ(kind) \
	Elf32_##kind s; \
	Elf64_##kind wide; \
	if (!narrow) { \
		memcpy(&wide, at, sizeof(wide)); \
		return wide; \
	} \
	memcpy(&s, at, sizeof(s))

static inline Elf64_Ehdr elf_wide_header(const void *at, bool narrow)
{
	ELF_WIDE_READ(Ehdr);
	wide = (Elf64_Ehdr){
		.e_type = s.e_type, .e_machine = s.e_machine, .e_version = s.e_version, .e_entry = s.e_entry,
		.e_phoff = s.e_phoff, .e_shoff = s.e_shoff, .e_flags = s.e_flags, .e_ehsize = s.e_ehsize,
		.e_phentsize = s.e_phentsize, .e_phnum = s.e_phnum, .e_shentsize = s.e_shentsize,
		.e_shnum = s.e_shnum, .e_shstrndx = s.e_shstrndx,
	};
	memcpy(wide.e_ident, s.e_ident, sizeof(wide.e_ident));
	return wide;
}

static inline Elf64_Phdr elf_wide_segment(const void *at, bool narrow)
{
	ELF_WIDE_READ(Phdr);
	return (Elf64_Phdr){
		.p_type = s.p_type, .p_flags = s.p_flags, .p_offset = s.p_offset, .p_vaddr = s.p_vaddr,
		.p_paddr = s.p_paddr, .p_filesz = s.p_filesz, .p_memsz = s.p_memsz, .p_align = s.p_align,
	};
}

static inline Elf64_Shdr elf_wide_section(const void *at, bool narrow)
{
	ELF_WIDE_READ(Shdr);
	return (Elf64_Shdr){
		.sh_name = s.sh_name, .sh_type = s.sh_type, .sh_flags = s.sh_flags, .sh_addr = s.sh_addr,
		.sh_offset = s.sh_offset, .sh_size = s.sh_size, .sh_link = s.sh_link, .sh_info = s.sh_info,
		.sh_addralign = s.sh_addralign, .sh_entsize = s.sh_entsize,
	};
}

static inline Elf64_Sym elf_wide_symbol(const void *at, bool narrow)
{
	ELF_WIDE_READ(Sym);
	return (Elf64_Sym){
		.st_name = s.st_name, .st_info = s.st_info, .st_other = s.st_other, .st_shndx = s.st_shndx,
		.st_value = s.st_value, .st_size = s.st_size,
	};
}

static inline Elf64_Dyn elf_wide_dynamic(const void *at, bool narrow)
{
	ELF_WIDE_READ(Dyn);
	return (Elf64_Dyn){ .d_tag = s.d_tag, .d_un.d_val = s.d_un.d_val };
}

static inline Elf64_Chdr elf_wide_compression(const void *at, bool narrow)
{
	ELF_WIDE_READ(Chdr);
	return (Elf64_Chdr){ .ch_type = s.ch_type, .ch_size = s.ch_size, .ch_addralign = s.ch_addralign };
}

/* Without the addend, which some machines store at the relocated place. */
static inline Elf64_Rel elf_wide_relocation(const void *at, bool narrow)
{
	ELF_WIDE_READ(Rel);
	return (Elf64_Rel){
		.r_offset = s.r_offset,
		.r_info = ELF64_R_INFO((Elf64_Xword)ELF32_R_SYM(s.r_info), ELF32_R_TYPE(s.r_info)),
	};
}

#endif
