/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said at the end of a session: errors, skipped probes, losses, in SystemTap's words. */
#ifndef STAGING_REPORT_H
#define STAGING_REPORT_H

#include "control.h"
#include "meta.h"
#include "relay.h"

/* CONTROL's report is the last one; BUFFER is what -s gave, or 0. */
void report_session(struct control *c, const struct meta *m, const struct relay *r, u64 buffer);

#endif
