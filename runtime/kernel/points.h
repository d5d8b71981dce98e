/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places in the kernel that have their own kprobe or kretprobe: those that ftrace cannot hook. */
#ifndef TAP_POINTS_H
#define TAP_POINTS_H

#include "hook.h"

struct tap_points;

struct tap_points_calls {
	void (*attached)(const struct tap_place *place);
	void (*failed)(const struct tap_place *place, int err);
};
/* Probes the PLACES that are not hooked; sets *P before the first hit, to NULL if there are none. Failures are reported
 * to CALLS; returns 0 or -ENOMEM. */
int tap_points_open(struct tap_points **p, const struct tap_place *places, u32 count,
		    const struct tap_points_calls *calls);
/* When it returns no handler is running. P may be NULL. */
void tap_points_close(struct tap_points *p);

/* The address, or the site, of the place of a hit with this IP; 0 or NULL if that is not a point's. P may be NULL. */
unsigned long tap_points_address(const struct tap_points *p, unsigned long ip);
const struct tap_site *tap_points_site(const struct tap_points *p, unsigned long ip);
/* Hits of ROW that the kernel has missed. P may be NULL. */
u64 tap_points_missed(const struct tap_points *p, const struct tap_row *row);

/* How many calls of the functions of ROW may be in progress, with one pool for all of them (SHARED) or for each. */
u32 tap_points_most_active(const struct tap_row *row, bool shared);

#endif
