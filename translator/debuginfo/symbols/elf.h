/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols from the tables of ELF files. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_ELF_H
#define TAPC_DEBUGINFO_SYMBOLS_ELF_H

#include "image.h"
#include "symtab.h"

/* .symtab of a kernel. */
enum debuginfo_answer elf_symbols(const struct image *image, struct symbol_list *l,
				  const char **reason);
/* TABLE (".symtab", ".dynsym") of a program, to be classified as a module's; false: it has none. */
bool elf_program_symbols(const struct image *image, const char *table, struct symbol_list *l);
/* Where the thread-local variable NAME is in its program's part of a thread's storage; false: there is none of that
 * name, or several. */
bool elf_thread_offset(const struct image *image, const char *name, uint64_t *offset);
/* .symtab of a module's file with its ftrace sites and blacklist; classified. */
enum debuginfo_answer elf_module_symbols(const struct image *image, const struct arch *arch, struct symbol_list *l,
					 const char **reason);

#endif
