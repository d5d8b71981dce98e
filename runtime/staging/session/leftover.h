/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of tapc that are loaded already: what a killed taprun left, and what -d is to remove. */
#ifndef STAGING_LEFTOVER_H
#define STAGING_LEFTOVER_H

#include <stdbool.h>

/* Remove the sessions that are over or were never begun, and that nobody has open; not those that were
 * detached, for somebody may still want what they printed. Takes no longer for those that somebody holds. */
void leftover_remove(const char *proc);
/* -d: remove the modules NAMES, "*" being all sessions that are over. False, with messages, when one
 * could not be. A detached session ends when it is named, not with "*". */
bool leftover_delete(const char *proc, char **names, int count);
bool leftover_delete_one(const char *proc, const char *name);
/* Remove module NAME, or tell who holds it after two seconds. */
bool leftover_unload(const char *proc, const char *name);

#endif
