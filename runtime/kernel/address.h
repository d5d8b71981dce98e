/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the functions of the kernel and of modules are, without kallsyms. Process context. */
#ifndef TAP_ADDRESS_H
#define TAP_ADDRESS_H

#include "session.h"

struct module;

/* Whether a module of that name is loaded, and not being unloaded. The caller must ensure that
 * it stays loaded: see the notifier in probes/kernel.c. */
bool tap_module_is_loaded(const char *name);

/* Sets the module that the notifier currently reports: it cannot be found by name yet. NULL: none. */
void tap_module_coming(const struct module *module);

/* Whether MODULE is the build that F describes. It must stay loaded: see symbol.c. */
bool tap_module_is_build(const struct module *module, const struct tap_functions *f);

/* The base to which the offsets of F's sites are added. Returns 0, or an errno and *REASON
 * (constant text). */
int tap_functions_base(const struct tap_functions *f, unsigned long *base, const char **reason);

/* The addresses of F's sites (of the functions, without site->into); 0 where a function was not found. */
int tap_functions_by_name(const struct tap_functions *f, unsigned long *addresses);

#endif
