/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations on object files in memory that the build needs: listing their symbols and renaming a module. */
#ifndef TAPC_OBJECT_H
#define TAPC_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Call EACH for every global or weak symbol, except undefined weak ones, which need no definition; false if IMAGE is
 * not an ELF object. NAME points into IMAGE. */
bool object_symbols(const char *image, size_t size, void (*each)(void *data, const char *name, bool defined),
		    void *data);

/* Change the name of a module that was built as FROM, in its struct module and in .modinfo; TO must
 * fit in there. False if one of the two places was not found. */
bool object_rename_module(char *image, size_t size, const char *from, const char *to);

#endif
