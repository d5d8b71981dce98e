/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions hooked at their entry by ftrace, many at once. */
#ifndef TAP_HOOK_H
#define TAP_HOOK_H

#include "session.h"
#include "rows.h"

/* A row at one place in the code. */
struct tap_place {
	unsigned long ip;		/* address of the instruction */
	struct tap_row *row;
	const struct tap_site *site;
	unsigned long base;		/* the addresses of the site's callers are relative to it */
	bool hooked;			/* ftrace can hook it */
};

struct tap_hooks;

/* Marks the PLACES that ftrace can hook, and sorts them. Returns 0 or an errno. */
int tap_hooks_choose(struct tap_place *places, u32 count);
/* Hooks the marked places; sets *H before the first hit, to NULL if no place is marked. RETURNS is called for rows
 * with TAP_PROBE_RETURN, with the frame's ip set and the frame kept busy; for other rows the handlers are run. */
int tap_hooks_open(struct tap_hooks **h, const struct tap_place *places, u32 count,
		   void (*returns)(struct tap_row *row, struct pt_regs *regs));
/* Unhooks functions without an armed row (SPARE), or only hooks those again that are needed. H may be NULL. */
int tap_hooks_adjust(struct tap_hooks *h, bool spare);
/* When it returns no callback is running. H may be NULL. */
void tap_hooks_close(struct tap_hooks *h);

/* The site of ROW that IP belongs to, or NULL. H may be NULL. */
const struct tap_site *tap_hooks_site(const struct tap_hooks *h, const struct tap_row *row,
				      unsigned long ip);

#endif
