/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel tells of its functions in tracefs and debugfs. */
#ifndef TAPC_DEBUGINFO_TRACEFS_H
#define TAPC_DEBUGINFO_TRACEFS_H

#include "symtab.h"

/* Mark the functions of L (classified; addresses as in /proc/kallsyms) that ftrace lists. False when
 * the kernel does not tell, or (before 6.5) names only, which is not exact: L->ftrace_sites tells
 * which. ROOT: "" for /. */
bool tracefs_mark_sites(struct arena *a, const char *root, struct symbol_list *l,
			const struct arch *arch);
/* The same for those on kprobes' blacklist. */
bool tracefs_mark_listed(struct arena *a, const char *root, struct symbol_list *l);
/* The events that ftrace lists, as lines "system:name"; NULL when it does not tell. */
const char *tracefs_events(struct arena *a, const char *root);
/* Would they tell? */
bool tracefs_has_sites(const char *root);
bool tracefs_has_list(const char *root);

#endif
