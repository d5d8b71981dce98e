/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serves one client of tapd: its request, the decision, and the module for the duration of its session. */
#ifndef STAGING_BROKER_H
#define STAGING_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "visitor.h"

/* Called once, before the first client. */
bool broker_open(void);
/* Serves an admitted visitor in a separate process. SIGNALS: from signals_open; SIGTERM ends the session. *BUSY
 * is set except while the process waits for the client's request. */
void broker_serve(struct visitor *v, int signals, volatile uint8_t *busy);

#endif
