/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading memory that may not be there, from any context. tap_memory is in tap_script.h. */
#ifndef TAP_MEMORY_H
#define TAP_MEMORY_H

#include "session.h"

/* False, and zeroes in TO, when not all of it can be read. Sets no error. */
bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user);

/* For C of guru mode. False when not all of it could be written. */
bool tap_memory_write(void *to, const void *from, u32 size);

#endif
