/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text and characters in UTF-16 and UTF-32, as UTF-8. */
#ifndef TAP_UTF_H
#define TAP_UTF_H

#include "tap_script.h"

/* Writes CODE to TO as UTF-8, at most 4 bytes, or U+FFFD if it is no character; returns the length. */
u32 tap_utf8(u32 code, char *to);

/* The text at ADDRESS, of characters of WIDTH (2, 4) bytes, up to its NUL, at most MOST bytes of memory. An error
 * if it cannot be read. */
struct tap_string tap_wide_text(struct tap_context *c, u64 address, u64 most, u32 width, bool user);

#endif
