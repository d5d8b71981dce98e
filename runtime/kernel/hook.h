/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions hooked at their entry by ftrace, many at once, or by direct calls. */
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
	/* direct_places.c: the row whose own code may be called; for an entry and a return at one function the row of
	 * the return; or NULL. */
	struct tap_row *direct;
};

struct tap_hooks;

/* Marks the PLACES that ftrace can hook, and sorts them. Returns 0 or an errno. */
int tap_hooks_choose(struct tap_place *places, u32 count);
struct tap_hooks_calls {
	/* For rows with TAP_PROBE_RETURN, with the frame's ip set and the frame kept busy; for other rows the handlers
	 * are run. */
	void (*returns)(struct tap_row *row, struct pt_regs *regs);
	/* tap_hooks_adjust is needed, soon: called with locks of ftrace held. */
	void (*changed)(void);
};
/* Hooks the marked places; sets *H before the first hit, to NULL if no place is marked. Changes PLACES, but not which
 * ones are marked. */
int tap_hooks_open(struct tap_hooks **h, struct tap_place *places, u32 count, const struct tap_hooks_calls *calls);
/* Unhooks functions without an armed row (SPARE), or only hooks those again that are needed. H may be NULL. */
int tap_hooks_adjust(struct tap_hooks *h, bool spare);
/* Some of its rows were disarmed: calls that begin from now on do not count at their return. H may be NULL. */
void tap_hooks_disarmed(struct tap_hooks *h);
/* How many of the places of ROW are hooked by direct calls now. H may be NULL. */
u32 tap_hooks_direct(const struct tap_hooks *h, const struct tap_row *row);
/* When it returns no callback is running. H may be NULL. */
void tap_hooks_close(struct tap_hooks *h);

/* The site of ROW that IP belongs to, or NULL. H may be NULL. */
const struct tap_site *tap_hooks_site(const struct tap_hooks *h, const struct tap_row *row,
				      unsigned long ip);

#endif
