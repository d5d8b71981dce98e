/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --replace: a session takes the place of another one, with the values of its globals. --values-of: it only gets a copy
 * of them. */
#ifndef STAGING_TAKEOVER_H
#define STAGING_TAKEOVER_H

#include <stdbool.h>

#include "common/status.h"
#include "control.h"
#include "meta.h"

struct takeover {
	const char *name;		/* of the session that is replaced */
	struct control control;		/* its monitor file */
	struct meta meta;
	struct tap_probe_report *probes;	/* its rows, before they were switched off; NULL: nothing was */
};

/* Before OWN, whose meta is META, starts: switches the probes of session NAME off, and gives OWN its globals. 0, or a
 * status after messages; then it is as before. */
enum tap_status takeover_begin(struct takeover *t, const char *proc, const char *name, struct control *own,
			       const struct meta *meta);
/* STARTED: ends the other session, without its end probes. Otherwise it goes on. */
void takeover_end(struct takeover *t, bool started);

/* Before OWN starts: gives it the globals of session NAME, which goes on. 0, or a status after messages. */
enum tap_status takeover_copy(const char *proc, const char *name, const struct control *own);

#endif
