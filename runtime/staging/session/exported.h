/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics that scripts add to the page. A malformed line would make the whole page unreadable, and a line with
 * another session's name would pass for that session's. */
#ifndef STAGING_EXPORTED_H
#define STAGING_EXPORTED_H

#include <stddef.h>
#include <stdio.h>

struct exported_name {
	char *name;			/* of a metric family */
	unsigned session;
};

struct exported {
	struct exported_name *names;
	size_t count;
};

/* Writes the lines of TEXT, from SESSION's script, to PAGE. Leaves out lines that are not OpenMetrics or have a
 * name used by an earlier session or by tapc, and returns their number. */
unsigned exported_write(struct exported *all, FILE *page, unsigned session, const char *text);
void exported_free(struct exported *all);
/* Writes TEXT as a label's value: escaped, with '?' for bytes that are not UTF-8. */
void exported_write_label(FILE *page, const char *text);

#endif
