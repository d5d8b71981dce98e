/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serves OpenMetrics over HTTP: statistics of all sessions, and the metrics that scripts export.
 *
 * A script exports metrics with a probe procfs("metrics").read, whose $value is lines of that format, without
 * "# EOF". */
#ifndef STAGING_METRICS_H
#define STAGING_METRICS_H

/* Serves the clients of LISTENER until SIGNALS (from signals_open) has SIGTERM or SIGINT. PROC: directory of
 * the sessions. */
void metrics_serve(int listener, int signals, const char *proc);

#endif
