/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits how much of the log each user may fill with failures: a number of lines per minute, then one line with
 * the number left out. Otherwise a loop of connections would fill the disk, or make the log drop the lines of
 * others, as journald does for a service that writes too much. */
#ifndef STAGING_LEDGER_H
#define STAGING_LEDGER_H

#include <stdbool.h>
#include <sys/types.h>

/* USER has connected: may failures be logged? */
bool ledger_may_write(uid_t user);
/* Writes summaries that are due. Returns the ms until the next may be due; -1: none. */
int ledger_tick(void);
/* Writes the remaining summaries. */
void ledger_end(void);

#endif
