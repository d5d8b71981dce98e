/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary at the end of a session: errors, skipped probes and losses, in SystemTap's words. */
#ifndef STAGING_REPORT_H
#define STAGING_REPORT_H

#include "control.h"
#include "meta.h"
#include "options.h"
#include "relay.h"

/* C->report must be the final one. */
void report_session(struct control *c, const struct meta *m, const struct relay *r,
		    const struct options *o);

/* The same as JSON objects. */
void report_session_json(struct control *c, const struct meta *m, const struct relay *r,
			 struct output *out);

#endif
