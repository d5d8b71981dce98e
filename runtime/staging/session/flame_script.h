/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes a flame graph zoom and search in a browser. */
#ifndef STAGING_FLAME_SCRIPT_H
#define STAGING_FLAME_SCRIPT_H

/* ECMAScript that the picture contains; it needs a <g> for each frame, as flame.c draws it, "all" first, and texts with
 * the IDs "search" and "found". */
extern const char flame_script[];

#endif
