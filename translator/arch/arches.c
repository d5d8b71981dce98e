/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lookups in the list of architectures. */
#include "arches.h"

#include <sys/utsname.h>

#include "base/util.h"

#define ARCH(name) extern const struct arch arch_##name;
#include "arches.def"
#undef ARCH

const struct arch *const arches[] = {
#define ARCH(name) &arch_##name,
#include "arches.def"
#undef ARCH
	NULL
};

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

const struct arch *arch_host(void)
{
	struct utsname u;

	return uname(&u) == 0 ? arch_find(u.machine) : NULL;
}
