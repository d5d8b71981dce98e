/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the log each user may fill with what went wrong for him: so much a minute, and then one line that
 * tells how much was left out. Otherwise a loop that connects would fill the disk, or make the log drop the lines
 * of others, as journald does with a service that writes too much. */
#ifndef STAGING_LEDGER_H
#define STAGING_LEDGER_H

#include <stdbool.h>
#include <sys/types.h>

/* USER has connected: may what goes wrong be on record? */
bool ledger_may_write(uid_t user);
/* Writes what is due. Milliseconds until more may be; -1: nothing is. */
int ledger_tick(void);
/* Writes what is left. */
void ledger_end(void);

#endif
