/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has files of a module open, and so keeps it loaded. */
#ifndef STAGING_HOLDERS_H
#define STAGING_HOLDERS_H

/* A message for each process that has files of module NAME open; or that none is seen, and why that may be. */
void holders_tell(const char *proc, const char *name);

#endif
