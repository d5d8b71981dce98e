/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live screen of one session: its probes, how often they are hit and what they cost. Keys switch probes on
 * and off. */
#ifndef STAGING_MONITOR_H
#define STAGING_MONITOR_H

#include "common/status.h"

/* Shows a session that another process holds, every INTERVAL seconds, until 'q' or the session's end. If stdout
 * is not a terminal, prints the table once. */
enum tap_status monitor_look(const char *proc, const char *name, double interval);

/* Shows a session of our own and its output. RUN is called in a child, which writes its module's name and a NUL
 * to STARTED when its probes are armed. Returns RUN's exit status. */
enum tap_status monitor_run(const char *proc, double interval, enum tap_status (*run)(void *data, int started),
			    void *data);

#endif
