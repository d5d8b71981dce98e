/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAGING_UTF8_H
#define STAGING_UTF8_H

#include <stddef.h>

/* The length in bytes of the UTF-8 character at the start of the SIZE (1 or more) bytes of TEXT; 0: it is not valid, so
 * cut off, longer than needed, a surrogate or above U+10FFFF. */
size_t utf8_character(const unsigned char *text, size_t size);

#endif
