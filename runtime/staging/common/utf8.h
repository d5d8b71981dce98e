/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAGING_UTF8_H
#define STAGING_UTF8_H

#include <stddef.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

/* The length in bytes of the UTF-8 character at the start of the SIZE (1 or more) bytes of TEXT; 0: it is not valid, so
 * cut off, longer than needed, a surrogate or above U+10FFFF. */
size_t utf8_character(const unsigned char *text, size_t size);
/* What to show for the start of TEXT, SIZE (1 or more) bytes: its first character, or U+FFFD for a byte that is not
 * UTF-8. Returns how many bytes of TEXT this is for. */
size_t utf8_show(const char *text, size_t size, const char **shown, size_t *shown_size);

#endif
