/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel reports about its functions in tracefs and debugfs. */
#ifndef TAPC_DEBUGINFO_TRACEFS_H
#define TAPC_DEBUGINFO_TRACEFS_H

#include "symtab.h"

/* Mark the functions of L (classified; addresses as in /proc/kallsyms) that ftrace lists. False if
 * the kernel has no list, or (before 6.5) lists names only, which is not exact: L->ftrace_sites
 * distinguishes the two. ROOT: "" for /. */
bool tracefs_mark_sites(struct arena *a, const char *root, struct symbol_list *l,
			const struct arch *arch);
/* The same for functions on the kprobe blacklist. */
bool tracefs_mark_listed(struct arena *a, const char *root, struct symbol_list *l);
/* The events that ftrace lists, as lines of "system:name"; NULL if it has no list. */
const char *tracefs_events(struct arena *a, const char *root);
/* Are the lists available? */
bool tracefs_has_sites(const char *root);
bool tracefs_has_list(const char *root);

#endif
