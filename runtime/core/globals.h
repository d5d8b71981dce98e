/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The globals of tap_script.globals as bytes, in the form of tap_globals.h. */
#ifndef TAP_CORE_GLOBALS_H
#define TAP_CORE_GLOBALS_H

#include "tap_globals.h"

struct tap_saving {
	u8 *data;
	u64 room;
	u64 size;			/* so much is needed, also if it is more than ROOM */
};

/* The locks of the script are held for reading. */
void tap_globals_save(struct tap_context *c, struct tap_saving *s);

/* Sets the globals that DATA has with the same declaration; nothing else runs. TELL is called for a global that keeps
 * its initial value, or that lost elements, with the reason. False if DATA is not in that form: some are not set. */
bool tap_globals_load(struct tap_context *c, const u8 *data, u64 size,
		      void (*tell)(struct tap_context *c, const char *name, const char *why));

#endif
