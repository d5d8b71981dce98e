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
	bool hooked;			/* ftrace can hook it */
};

struct tap_hooks;

/* Sort PLACES and mark those that ftrace can hook. 0 or an errno. */
int tap_hooks_choose(struct tap_place *places, u32 count);
/* Hook those that are marked: NULL and *ERR when that fails, or there are none (0). PLACES stay the
 * caller's and must outlive the hooks. RETURNS is called for rows of TAP_PROBE_RETURN, with the
 * frame's ip and site set and the frame kept busy; others' handlers are run. */
struct tap_hooks *tap_hooks_open(struct tap_place *places, u32 count,
				 void (*returns)(struct tap_row *row, struct pt_regs *regs), int *err);
/* On return no callback runs. */
void tap_hooks_close(struct tap_hooks *h);

/* The site of ROW's that an ip belongs to, or NULL. */
const struct tap_site *tap_places_find(const struct tap_place *places, u32 count,
				       const struct tap_row *row, unsigned long ip);

#endif
