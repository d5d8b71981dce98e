/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapd's door: who comes is looked at before anything that he sends, is turned away, or gets a process of his own
 * (broker.c), so that none waits for another and none's mistake is another's. */
#ifndef STAGING_DOOR_H
#define STAGING_DOOR_H

/* Until SIGTERM, or (IDLE, in ms; -1: never) nobody has been there for so long. SIGNALS: signals_open. */
void door_keep(int listener, int signals, const char *config, int idle);

#endif
