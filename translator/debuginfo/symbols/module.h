/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of a kernel: those in modules.dep, and those that are loaded. */
#ifndef TAPC_DEBUGINFO_SYMBOLS_MODULE_H
#define TAPC_DEBUGINFO_SYMBOLS_MODULE_H

#include "debuginfo/handle.h"
#include "symtab.h"

const char *module_name_of_path(struct arena *a, const char *path);	/* NULL: not a module's path */
/* D's path on the target. */
const char *module_target_path(const struct debuginfo *d);
enum debuginfo_answer module_locate(struct debuginfo *d, const char **reason);
enum debuginfo_answer module_list(struct debuginfo *kernel, const char *pattern,
				  struct module_names *found, const char **reason);

/* Symbols of the module NAME as it is loaded in the running kernel; classified. ROOT: "" for /. */
enum debuginfo_answer loaded_module_symbols(const char *root, const char *name,
					    struct symbol_list *l, const char **reason);

#endif
