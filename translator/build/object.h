/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Object files in memory, as far as the build needs: their symbols, and a module's name. */
#ifndef TAPC_OBJECT_H
#define TAPC_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Call EACH for every global or weak symbol; false when IMAGE is no ELF object. NAME lies in
 * IMAGE. */
bool object_symbols(const char *image, size_t size, void (*each)(void *data, const char *name, bool defined),
		    void *data);

/* Change the name of a module that was built as FROM: in its struct module and in .modinfo, where
 * TO must find room. False when one of the two places was not found. */
bool object_rename_module(char *image, size_t size, const char *from, const char *to);

#endif
