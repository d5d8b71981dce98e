/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions call rows' own code. */
#ifndef TAP_DIRECT_PLACES_H
#define TAP_DIRECT_PLACES_H

#include "session.h"

struct tap_place;
struct tap_row;

#define TAP_DIRECT_GROUPS 8	/* rows: each one takes a pass over the kernel's text, and a grace period */

/* Functions with the same code. */
struct tap_direct_group {
	struct tap_row *row;
	struct tap_row *pair;	/* ROW is of returns: the row of entries at the same functions, or NULL */
	u32 functions;
};

/* Sets the member direct of PLACES, which are sorted and marked as hooked or not, and lists the groups. Places of rows
 * beyond the eighth, or for which the kernel has no room, are left out, as are those of a return with another pair than
 * most functions of its row have. Returns the number of groups. */
u32 tap_direct_groups(struct tap_place *places, u32 count, struct tap_direct_group list[TAP_DIRECT_GROUPS]);

#endif
