// SPDX-License-Identifier: GPL-2.0-or-later
#include "library.h"

#include <dlfcn.h>
#include <string.h>

bool library_load(const char *file, const char *const *names, size_t count, void *to)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; library && i < count; i++) {
		void *found = dlsym(library, names[i]);

		if (!found)
			return false;
		memcpy((char *)to + i * sizeof(found), &found, sizeof(found));
	}
	return library != NULL;
}
