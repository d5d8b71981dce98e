/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What scripts add to the page of metrics. One that makes lines of another form would make the whole page
 * unreadable, and one that makes lines of another's names would speak for him. */
#ifndef STAGING_EXPORTED_H
#define STAGING_EXPORTED_H

#include <stddef.h>
#include <stdio.h>

struct exported_name {
	char *name;			/* of a family */
	unsigned session;
};

struct exported {
	struct exported_name *names;
	size_t count;
};

/* Puts the lines of TEXT, which SESSION's script made, onto PAGE, but for those that are no OpenMetrics, or of the
 * names that an earlier session has, or of ours: how many that were. */
unsigned exported_write(struct exported *all, FILE *page, unsigned session, const char *text);
void exported_free(struct exported *all);
/* TEXT as a label's value: escaped, and without what is not UTF-8. */
void exported_write_label(FILE *page, const char *text);

#endif
