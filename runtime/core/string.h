/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on strings beyond what tap_script.h declares: what the tapset's string functions are made of.
 * Strings are bytes; positions count from 0. Results that take a context live on its scratch stack
 * (or are an argument itself when nothing changes), end in a NUL and are cut to the limit; without
 * room the error is set and the result is empty. */
#ifndef TAP_CORE_STRING_H
#define TAP_CORE_STRING_H

#include "tap_script.h"

/* LENGTH bytes from START on, less at the end. Empty when START is outside or LENGTH < 1. */
struct tap_string tap_substr(struct tap_context *c, struct tap_string s, s64 start, s64 length);
/* Where FIND first occurs, -1 when it does not; an empty FIND is at 0. isinstr() is >= 0. */
s64 tap_strpos(struct tap_string s, struct tap_string find);
/* As C's strtoll: blanks, sign, 0x for base 16 and 0; stops at the first byte that is no digit,
 * saturates. BASE 0, or 2 to 36; 0 for another. */
s64 tap_strtol(struct tap_string s, s64 base);
/* The byte at POSITION, counted from 0. A position below 0 or behind the last byte is an error. */
s64 tap_stringat(struct tap_context *c, struct tap_string s, s64 position);
/* Every FIND, from the left, becomes BY; an empty FIND is found nowhere. */
struct tap_string tap_str_replace(struct tap_context *c, struct tap_string s, struct tap_string find,
				  struct tap_string by);
/* Unprintable bytes, " and \ become escapes: \a \b \t \n \v \f \r \" \\ and \ooo, a character of UTF-8 outside of
 * ASCII \uXXXX or \UXXXXXXXX. At most LIMIT bytes come out (0: the limit of strings), never half an escape. QUOTED: in
 * double quotes, which count, and with ... behind when something was cut; five bytes then, where LIMIT is less.
 * text_str, text_strn, string_quoted. */
struct tap_string tap_text(struct tap_context *c, struct tap_string s, s64 limit, bool quoted);
/* All 8 bytes of WORD need no escape: what is not below 0x80, is below a space, or is one of three makes a
 * highest bit. */
static inline bool tap_are_plain(u64 word)
{
	const u64 ones = 0x0101010101010101u;
	u64 none = word | (word - ones * ' ');

	none |= ((word ^ ones * 0x7f) - ones) | ((word ^ ones * '"') - ones) | ((word ^ ones * '\\') - ones);
	return !(none & ones << 7);
}
struct tap_string tap_toupper(struct tap_context *c, struct tap_string s);
struct tap_string tap_tolower(struct tap_context *c, struct tap_string s);

/* tokenize: from *AT on, the next run of bytes that are not in DELIMITERS: *START and *SIZE. *AT is
 * then behind the run's delimiter. False when there is none. */
bool tap_token(struct tap_string s, struct tap_string delimiters, u32 *at, u32 *start, u32 *size);
/* SIZE bytes from START, both within S. */
struct tap_string tap_slice(struct tap_context *c, struct tap_string s, u32 start, u32 size);

/* Names of numbers: a table ends with name NULL. */
struct tap_name {
	u64 value;
	const char *name;
};
#define TAP_NAME(constant) { (u64)(constant), #constant }
#define TAP_NAMES_END { 0, NULL }

/* The name of the first row with VALUE; empty when there is none. */
struct tap_string tap_name(const struct tap_name *names, u64 value);
/* The first row's value whose name is NAME; false when there is none. */
bool tap_name_value(const struct tap_name *names, struct tap_string name, u64 *value);
/* "A|B|0x80": rows whose bits are all set, each bit once, the first row first; what remains as a number.
 * 0 is the name of the row with value 0, or "0". */
struct tap_string tap_flags(struct tap_context *c, const struct tap_name *names, u64 flags);

#endif
