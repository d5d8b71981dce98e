/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of architectures, and looking things up in their rows. */
#include "arch.h"

#include <sys/utsname.h>

#include "base/util.h"

extern const struct arch arch_x86_64, arch_aarch64;

const struct arch *const arches[] = { &arch_x86_64, &arch_aarch64, NULL };

const struct arch *arch_find(const char *name)
{
	for (size_t i = 0; arches[i]; i++)
		if (str_equal(arches[i]->name, name) || str_equal(arches[i]->kernel, name))
			return arches[i];
	return NULL;
}

const struct arch *arch_of_machine(uint16_t elf_machine)
{
	for (size_t i = 0; arches[i]; i++)
		if (arches[i]->elf_machine == elf_machine)
			return arches[i];
	return NULL;
}

const struct arch *arch_of_program(const struct arch *arch, uint16_t elf_machine, bool narrow)
{
	if (narrow)
		arch = arch->narrow;
	return arch && arch->elf_machine == elf_machine ? arch : NULL;
}

const struct arch *arch_host(void)
{
	struct utsname u;

	return uname(&u) == 0 ? arch_find(u.machine) : NULL;
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
