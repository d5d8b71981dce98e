/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings that are made on the context's scratch stack. Unused scratch is given back, so that a temporary only takes
 * the space of its contents. */
#ifndef TAP_CORE_SCRATCH_H
#define TAP_CORE_SCRATCH_H

#include "tap_script.h"

static inline u32 tap_string_limit(void)
{
	return tap_script.limits.string;
}

/* Room for SIZE bytes and a NUL; limits SIZE to the maximum; NULL with the error set. */
static inline char *tap_room_for(struct tap_context *c, u64 *size)
{
	if (*size > tap_string_limit() - 1)
		*size = tap_string_limit() - 1;
	return tap_scratch(c, (u32)*size + 1);
}

/* TEXT is the last block of scratch and holds SIZE bytes: shrinks the block to that. */
static inline struct tap_string tap_room_finish(struct tap_context *c, char *text, u32 size)
{
	text[size] = 0;
	c->scratch = text + ((size + 1 + 15) & ~15u);
	return (struct tap_string){ text, size };
}

#endif
