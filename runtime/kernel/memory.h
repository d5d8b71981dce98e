/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading memory that may not be there, from any context. tap_memory is in tap_script.h. */
#ifndef TAP_MEMORY_H
#define TAP_MEMORY_H

#include "session.h"

/* False, and zeroes in TO, when not all of it can be read. Sets no error. */
bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user);

/* The text at FROM up to its NUL, MOST bytes of it at most; *SIZE is how many. TO has room for them. False when
 * the byte behind these cannot be read. Sets no error. */
bool tap_memory_text(struct tap_context *c, char *to, u64 from, u32 most, bool user, u32 *size);
/* The same of a text of the process's that ends within MOST bytes and needs no escape when it is shown
 * (tap_text): its size; negative with anything else, which may still be a text. */
s32 tap_memory_plain(struct tap_context *c, char *to, u64 from, u32 most);

/* For C of guru mode. False when not all of it could be written. */
bool tap_memory_write(void *to, const void *from, u32 size);

#endif
