/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said at the end of a session: errors, skipped probes, losses, in SystemTap's words. */
#ifndef STAGING_REPORT_H
#define STAGING_REPORT_H

#include "control.h"
#include "meta.h"
#include "options.h"
#include "relay.h"

/* CONTROL's report is the last one. */
void report_session(struct control *c, const struct meta *m, const struct relay *r,
		    const struct options *o);

/* The same as JSON objects. */
void report_session_json(struct control *c, const struct meta *m, const struct relay *r,
			 struct output *out);

#endif
