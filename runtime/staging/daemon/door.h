/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapd's door: each peer is checked before anything it has sent is read. It is refused, or gets a separate
 * process (broker.c), so that clients neither wait for one another nor suffer from each other's errors. */
#ifndef STAGING_DOOR_H
#define STAGING_DOOR_H

/* Runs until SIGTERM, or until no client has come for IDLE ms (-1: no limit). SIGNALS: from signals_open. */
void door_keep(int listener, int signals, const char *config, int idle);

#endif
