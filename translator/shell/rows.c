/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session's monitor file takes the commands, also beside the taprun that holds the session. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "staging/session/control.h"
#include "staging/session/meta.h"

/* Positions begin with the name of their source. */
static bool is_in(const char *position, const char *source)
{
	return str_starts(position, source) && position[strlen(source)] == ':';
}

static bool switch_probes(struct control *c, const struct meta *m, const char *source, bool on)
{
	_cleanup_free_ struct tap_probe_report *probes = control_read_probes(c);
	bool done = false;

	for (u32 i = 0; probes && i < m->probe_count && i < c->report.probe_count; i++)
		if (is_in(m->probes[i].position, source))
			done |= !control_send_number(c, on ? TAP_ARM : TAP_DISARM, probes[i].number);
	return done;
}

bool rows_switch(const char *module, const char *source, bool on)
{
	struct control c;
	struct meta m;
	bool done;

	if (control_open_monitor(&c, CONTROL_PROC, module))
		return false;
	done = control_read(&c) == 0 && meta_read(&m, c.dir);
	if (done) {
		done = switch_probes(&c, &m, source, on);
		meta_free(&m);
	}
	control_close(&c);
	return done;
}
