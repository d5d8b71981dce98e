/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the processes that have a module's files open and so keep it loaded. */
#ifndef STAGING_HOLDERS_H
#define STAGING_HOLDERS_H

/* Reports each process that has files of module NAME open, or that none was found and the possible reasons. */
void holders_tell(const char *proc, const char *name);

#endif
