/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of OpenMetrics over HTTP: statistics of all sessions, and what scripts export.
 *
 * A script exports by a probe procfs("metrics").read, whose $value is lines of that format, without
 * "# EOF". */
#ifndef STAGING_METRICS_H
#define STAGING_METRICS_H

/* Serve who connects to LISTENER, one after the other, until SIGNALS (signals_open) has SIGTERM or SIGINT.
 * PROC: where the sessions are. */
void metrics_serve(int listener, int signals, const char *proc);

#endif
