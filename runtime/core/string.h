/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String operations beyond those in tap_script.h: the tapset's string functions use them. Strings are bytes;
 * positions count from 0. Functions with a context return strings on its scratch stack (or an argument itself if
 * nothing changes); these end in a NUL and are truncated to the limit. If the scratch stack is full the error is
 * set and the result is empty. */
#ifndef TAP_CORE_STRING_H
#define TAP_CORE_STRING_H

#include "tap_script.h"

/* LENGTH bytes from START on, fewer at the end. Empty if START is outside the string or LENGTH
 * < 1. */
struct tap_string tap_substr(struct tap_context *c, struct tap_string s, s64 start, s64 length);
/* The position where FIND first occurs, -1 if it does not; an empty FIND is at 0. isinstr() is
 * >= 0. */
s64 tap_strpos(struct tap_string s, struct tap_string find);
/* As C's strtoll: blanks, sign, 0x for base 16 and 0; stops at the first byte that is not a
 * digit, saturates. BASE 0, or 2 to 36; returns 0 for any other. */
s64 tap_strtol(struct tap_string s, s64 base);
/* The byte at POSITION, counted from 0. A position below 0 or after the last byte is an error. */
s64 tap_stringat(struct tap_context *c, struct tap_string s, s64 position);
/* Replaces every FIND, from the left, by BY; an empty FIND never occurs. */
struct tap_string tap_str_replace(struct tap_context *c, struct tap_string s, struct tap_string find,
				  struct tap_string by);
/* Escapes unprintable bytes, " and \: \a \b \t \n \v \f \r \" \\ and \ooo, and UTF-8 characters outside ASCII:
 * \uXXXX or \UXXXXXXXX. The result has at most LIMIT bytes (0: the limit of strings) and never half an escape.
 * QUOTED: in double quotes, which count, followed by ... if it was truncated; then LIMIT is at least five. Used by
 * text_str, text_strn, string_quoted. */
struct tap_string tap_text(struct tap_context *c, struct tap_string s, s64 limit, bool quoted);
/* Whether all 8 bytes of WORD need no escape: a byte of 0x80 or more, one below a space, or one of three special
 * ones sets a highest bit. */
static inline bool tap_are_plain(u64 word)
{
	const u64 ones = 0x0101010101010101u;
	u64 none = word | (word - ones * ' ');

	none |= ((word ^ ones * 0x7f) - ones) | ((word ^ ones * '"') - ones) | ((word ^ ones * '\\') - ones);
	return !(none & ones << 7);
}
struct tap_string tap_toupper(struct tap_context *c, struct tap_string s);
struct tap_string tap_tolower(struct tap_context *c, struct tap_string s);

/* tokenize: finds the next run of bytes that are not in DELIMITERS, from *AT on: *START and
 * *SIZE. Moves *AT past the delimiter after it. False if there is no further run. */
bool tap_token(struct tap_string s, struct tap_string delimiters, u32 *at, u32 *start, u32 *size);
/* SIZE bytes from START, both within S. */
struct tap_string tap_slice(struct tap_context *c, struct tap_string s, u32 start, u32 size);

#endif
