/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live screen of one session: its probes, how often they are hit, what they cost; switch them. */
#ifndef STAGING_MONITOR_H
#define STAGING_MONITOR_H

#include "status.h"

/* Until 'q' or the session's end. When stdout is no terminal: the table once. */
enum tap_status monitor_run(const char *proc, const char *name);

#endif
