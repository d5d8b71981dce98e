/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the functions of the kernel and of modules are, without kallsyms. Process context. */
#ifndef TAP_ADDRESS_H
#define TAP_ADDRESS_H

#include "session.h"

struct module;

/* Is a module of that name there, and not on its way out? The caller takes care that it stays: see
 * the notifier in probes/kernel.c. */
bool tap_module_is_loaded(const char *name);

/* The one that the notifier tells of, while it does: it is not to be found by its name yet. NULL: none. */
void tap_module_coming(const struct module *module);

/* Is MODULE the build that F is of? It must be there: see symbol.c. */
bool tap_module_is_build(const struct module *module, const struct tap_functions *f);

/* What the offsets of F's sites are to be added to. 0, or an errno and *REASON (constant text). */
int tap_functions_base(const struct tap_functions *f, unsigned long *base, const char **reason);

/* The addresses of F's sites (those of the functions, without site->into); 0 where there is none. */
int tap_functions_by_name(const struct tap_functions *f, unsigned long *addresses);

#endif
