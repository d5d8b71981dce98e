/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One client of tapd: its request, the decision, and the module for as long as its session lasts. */
#ifndef STAGING_BROKER_H
#define STAGING_BROKER_H

#include <stdbool.h>

/* Once, before the first client. */
bool broker_open(void);
/* In a process of its own. SIGNALS: signals_open; SIGTERM ends the session. CONFIG: the policy's file. */
void broker_serve(int socket, int signals, const char *config);

#endif
