/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own symbol table: in its image, or as text. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_KALLSYMS_H
#define TAPC_DEBUGINFO_SYMBOLS_KALLSYMS_H

#include "image.h"
#include "symtab.h"

/* Read the tables in IMAGE. */
enum debuginfo_answer kallsyms_decode(struct arena *a, struct image *image, struct symbol_list *l,
				      const char **reason);
/* Read the text of /proc/kallsyms or System.map. MODULE: only that module's symbols; NULL: only the kernel's. */
enum debuginfo_answer kallsyms_parse(const char *text, const char *module, struct symbol_list *l,
				     const char **reason);

#endif
