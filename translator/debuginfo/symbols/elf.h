/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols from the symbol tables of ELF files. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_ELF_H
#define TAPC_DEBUGINFO_SYMBOLS_ELF_H

#include "image.h"
#include "symtab.h"

/* Read .symtab of a kernel. */
enum debuginfo_answer elf_symbols(const struct image *image, struct symbol_list *l,
				  const char **reason);
/* Read TABLE (".symtab", ".dynsym") of a program, to be classified like that of a module; false:
 * there is no such table. */
bool elf_program_symbols(const struct image *image, const char *table, struct symbol_list *l);
/* The offset of the thread-local variable NAME in its program's block of a thread's storage; false:
 * no variable has that name, or several have. */
bool elf_thread_offset(const struct image *image, const char *name, uint64_t *offset);
/* Read .symtab of a module's file with its ftrace sites and blacklist; the symbols are classified. */
enum debuginfo_answer elf_module_symbols(const struct image *image, const struct arch *arch, struct symbol_list *l,
					 const char **reason);

#endif
