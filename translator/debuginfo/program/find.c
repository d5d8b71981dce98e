/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of programs and libraries. */
#include "find.h"

#include <elf.h>
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arches.h"
#include "base/util.h"

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
	Elf32_Ehdr h;			/* the 64-bit header has the same layout up to here */
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

	if (glob(pattern, 0, NULL, &g) == 0)	/* matches include dangling links */
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
