/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lookups in the description of an architecture. */
#include "arch.h"

#include "base/util.h"

const struct arch *arch_of_program(const struct arch *arch, uint16_t elf_machine, bool narrow)
{
	if (narrow)
		arch = arch->narrow;
	return arch && arch->elf_machine == elf_machine ? arch : NULL;
}

const struct arch_register *arch_register(const struct arch *arch, const char *name)
{
	for (const struct arch_register *r = arch->registers; r->name; r++)
		if (str_equal(r->name, name))
			return r;
	return NULL;
}

const struct arch_register *arch_register_of_dwarf(const struct arch *arch, int dwarf)
{
	for (const struct arch_register *r = arch->registers; r->name; r++)
		if (r->dwarf == dwarf && dwarf >= 0 && r->size == arch->word)
			return r;
	return NULL;
}

const struct arch_register *arch_argument(const struct arch *arch, unsigned n)
{
	return n >= 1 && n <= arch->argument_count ? arch_register(arch, arch->arguments[n - 1]) : NULL;
}
