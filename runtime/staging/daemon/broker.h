/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One client of tapd: its request, the decision, and the module for as long as its session lasts. */
#ifndef STAGING_BROKER_H
#define STAGING_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "visitor.h"

/* Once, before the first client. */
bool broker_open(void);
/* In a process of its own, for a visitor who is welcome. SIGNALS: signals_open; SIGTERM ends the session. *BUSY is
 * set while it does something else than waiting for what the client wants. */
void broker_serve(struct visitor *v, int signals, volatile uint8_t *busy);

#endif
