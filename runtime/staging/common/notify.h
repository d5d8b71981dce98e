/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service manager that started this process: see sd_notify(3). */
#ifndef STAGING_NOTIFY_H
#define STAGING_NOTIFY_H

/* Tells the service manager that the service has started: a unit with Type=notify waits for this. Does nothing without
 * a service manager, or after the first call. Returns 0 or an errno. */
int notify_ready(void);

#endif
