/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules that are loaded already: left by a killed taprun, or to be removed by -d. */
#ifndef STAGING_LEFTOVER_H
#define STAGING_LEFTOVER_H

#include <stdbool.h>

/* Removes modules whose session is over or was never started, and is not open anywhere. Detached sessions are
 * kept, since their output may still be wanted. Does not wait long for modules that are held open. */
void leftover_remove(const char *proc);
/* -d: removes the modules NAMES; "*" means all sessions that are over. False, with messages, if one could not
 * be removed. A detached session ends if it is named, but not by "*". */
bool leftover_delete(const char *proc, char **names, int count);
/* Removes module NAME; after two seconds gives up and reports the processes that hold it. */
bool leftover_unload(const char *proc, const char *name);

#endif
