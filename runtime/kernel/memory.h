/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads memory that may be unmapped, from any context. tap_memory is in tap_script.h. */
#ifndef TAP_MEMORY_H
#define TAP_MEMORY_H

#include "session.h"

/* Returns false, and zeroes TO, if not all of it can be read. Sets no error. */
bool tap_memory_copy(struct tap_context *c, void *to, u64 from, u64 size, bool user);

/* The text at FROM up to its NUL, at most MOST bytes; *SIZE is its length. TO has room for MOST bytes. False if the
 * byte after them cannot be read. Sets no error. */
bool tap_memory_text(struct tap_context *c, char *to, u64 from, u32 most, bool user, u32 *size);
/* The same for a text of the process that ends within MOST bytes and needs no escape when it is shown (tap_text):
 * returns its size; negative for anything else, which may still be a text. */
s32 tap_memory_plain(struct tap_context *c, char *to, u64 from, u32 most);

/* For embedded C in guru mode. False if not all of it could be written. */
bool tap_memory_write(void *to, const void *from, u32 size);

#endif
