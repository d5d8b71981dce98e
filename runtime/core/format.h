/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf's formats, in one place: the translator checks them, the kernel formats sprintf, and the loader formats
 * print records, with identical results.
 *
 *	%[flags][width][.precision][length]conversion
 *	flags		- 0 + space #, in any order, may be repeated
 *	width		a number or *; the same for precision (a lone . is .0; a negative .* means none;
 *			a negative * is '-' and its absolute value). Both are limited to TAP_FORMAT_MOST
 *	length		hh h l ll: accepted and ignored, all numbers have 64 bits (they only matter in
 *			tap_format_arguments, which takes C's varargs)
 *	d i u x X o	as in C; # adds 0x 0X 0, also to 0
 *	p		0x and lower-case hexadecimal digits, also for 0
 *	s		precision: maximum number of bytes
 *	c		one byte, also a NUL; # shows unprintable ones as \a \b \t \n \v \f \r or \ooo
 *	b		the value's low 1, 2, 4 or 8 bytes (the width; default 8) in the machine's order; no
 *			flags, no precision
 *	m M		memory: the bytes unchanged, or two hexadecimal digits each. The precision is
 *			the number of bytes to read, 1 if absent; the width pads the text. # reads user
 *			memory. A script passes the address; records and tap_format_values get the bytes,
 *			as a string that tap_memory() read
 *	%		a % sign; takes no flags */
#ifndef TAP_CORE_FORMAT_H
#define TAP_CORE_FORMAT_H

#include "tap_script.h"
#include "core/writer.h"

enum { TAP_FORMAT_MOST = 65535 };

/* ---- parsing a format ---- */

enum {
	TAP_FORMAT_MINUS = 1, TAP_FORMAT_ZERO = 2, TAP_FORMAT_PLUS = 4, TAP_FORMAT_SPACE = 8,
	TAP_FORMAT_ALTERNATE = 16,
};

enum tap_format_argument {
	TAP_ARGUMENT_NONE,
	TAP_ARGUMENT_LONG,
	TAP_ARGUMENT_STRING,
	TAP_ARGUMENT_MEMORY,		/* the script's argument is an address, the record's a string */
};

struct tap_directive {
	u32 position, size;	/* its text in the format */
	char conversion;	/* 0: literal text. Otherwise one of d u x X o p s c b m M; 'i'
				 * becomes 'd', and '%%' is literal text of one byte, the second
				 * % */
	u8 flags;
	bool star_width, star_precision;	/* each takes a long before the argument, in this order */
	u8 length;		/* 0, 'h', 'H' (hh), 'l', 'L' (ll) */
	u8 argument;		/* enum tap_format_argument */
	s32 width, precision;	/* -1: absent, or a star */
};

/* The number of values that a directive takes. */
static inline u32 tap_directive_values(const struct tap_directive *d)
{
	return (u32)d->star_width + d->star_precision + (d->argument != TAP_ARGUMENT_NONE);
}

enum tap_format_reason {
	TAP_FORMAT_END,			/* no more directives */
	TAP_FORMAT_OK,
	/* errors, at directive->position .. + size: */
	TAP_FORMAT_UNFINISHED,		/* the text ends inside a directive */
	TAP_FORMAT_UNKNOWN,		/* no such conversion */
	TAP_FORMAT_TOO_WIDE,		/* a width or precision above TAP_FORMAT_MOST */
	TAP_FORMAT_BINARY_WIDTH,	/* %b with a width other than 1, 2, 4, 8, or with a precision */
	TAP_FORMAT_FLAGS,		/* flags, width or precision that the conversion does not take */
};
/* "unknown conversion" and so on, for messages. */
const char *tap_format_reason_text(enum tap_format_reason reason);

struct tap_format_cursor {
	const char *text;
	u32 size;
	u32 at;
};

/* The next directive, or run of literal text. After an error the cursor is after the faulty
 * directive, so that a caller can continue with the next one. */
enum tap_format_reason tap_format_next(struct tap_format_cursor *cursor, struct tap_directive *d);

/* ---- writing ---- */

/* Formats into OUT, which has room for ROOM bytes including the NUL that always follows; ROOM >
 * 0. Truncates what does not fit. Returns the number of bytes before the NUL. FORMAT ends in a
 * NUL and has been checked by the translator: an invalid directive and everything after it are
 * left out. */
u32 tap_format_values(char *out, u32 room, const char *format, const union tap_value *args);

/* The same from C arguments, for tap_error: %s takes const char *, %d %u %x take int sizes, with l and ll longer
 * ones. */
u32 tap_format_arguments(char *out, u32 room, const char *format, __builtin_va_list args)
	__attribute__((format(printf, 3, 0)));

/* The payload of a print record (struct tap_item): values in sequence. */
struct tap_format_payload {
	const u8 *at;
	u32 left;
};

/* Gets the values of the next directive, D, into VALUES, which has room for three; false if they are missing. */
bool tap_format_take(struct tap_format_payload *p, const struct tap_directive *d, union tap_value *values);

/* The same as text; W NULL: only check. Writes nothing and returns false if the payload is not exactly what the
 * format requires. Both may be hostile. */
bool tap_format_record(struct tap_writer *w, const char *format, u32 format_size,
		       const u8 *payload, u32 size);

/* A format that was parsed once, for many records. */
struct tap_format_parsed {
	const char *text;
	const struct tap_directive *directives;
	u32 count;
	u32 least;		/* bytes of a payload whose strings are empty */
	bool valid, has_strings;
};

/* The number of directives in the format TEXT of SIZE bytes, up to the first that is invalid. */
u32 tap_format_count(const char *text, u32 size);
/* Parses it into DIRECTIVES, which has room for that number; both must outlive the result. */
struct tap_format_parsed tap_format_parse(const char *text, u32 size, struct tap_directive *directives);
/* As tap_format_record. */
bool tap_format_record_parsed(struct tap_writer *w, const struct tap_format_parsed *f, const u8 *payload, u32 size);

#endif
