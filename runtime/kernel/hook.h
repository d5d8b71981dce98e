/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions hooked at their entry by ftrace, many at once. */
#ifndef TAP_HOOK_H
#define TAP_HOOK_H

#include "session.h"
#include "rows.h"

/* A row at one place. */
struct tap_place {
	unsigned long ip;		/* of the instruction */
	struct tap_row *row;
	const struct tap_site *site;
	unsigned long base;		/* what the site's callers count from */
	bool hooked;			/* ftrace can hook it */
};

struct tap_hooks;

/* Mark the PLACES that ftrace can hook; sorts them. 0 or an errno. */
int tap_hooks_choose(struct tap_place *places, u32 count);
/* Hook those that are marked; *H is set before the first hit, to NULL when there are none. RETURNS is
 * called for rows of TAP_PROBE_RETURN, with the frame's ip set and the frame kept busy;
 * others' handlers are run. */
int tap_hooks_open(struct tap_hooks **h, const struct tap_place *places, u32 count,
		   void (*returns)(struct tap_row *row, struct pt_regs *regs));
/* Let go of functions none of whose rows is armed (SPARE), or only take hold again of those that are
 * needed. NULL is fine. */
int tap_hooks_adjust(struct tap_hooks *h, bool spare);
/* On return no callback runs. NULL is fine. */
void tap_hooks_close(struct tap_hooks *h);

/* The site of ROW's that IP belongs to, or NULL. H may be NULL. */
const struct tap_site *tap_hooks_site(const struct tap_hooks *h, const struct tap_row *row,
				      unsigned long ip);

#endif
