/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live screen of one session: its probes, how often they are hit, what they cost; switch them. */
#ifndef STAGING_MONITOR_H
#define STAGING_MONITOR_H

#include "common/status.h"

/* Look at a session that somebody else has, every INTERVAL seconds, until 'q' or its end. When stdout is no
 * terminal: the table once. */
enum tap_status monitor_look(const char *proc, const char *name, double interval);

/* A session of our own, and what it prints: RUN it in a child, which writes its module's name with the NUL to
 * STARTED when its probes are in place. The exit status is RUN's. */
enum tap_status monitor_run(const char *proc, double interval, enum tap_status (*run)(void *data, int started),
			    void *data);

#endif
