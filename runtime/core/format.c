/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats: parses text into directives and writes a directive and its values as bytes. The
 * three callers (values, C arguments, a record's payload) fetch values in different ways and
 * all use tap_format_directive, so their output is identical. */
#include "core/format.h"

/* ---- parsing ---- */

const char *tap_format_reason_text(enum tap_format_reason reason)
{
	switch (reason) {
	case TAP_FORMAT_END:
	case TAP_FORMAT_OK:
		break;
	case TAP_FORMAT_UNFINISHED:
		return "the format ends inside a directive";
	case TAP_FORMAT_UNKNOWN:
		return "unknown conversion";
	case TAP_FORMAT_TOO_WIDE:
		return "width or precision above 65535";
	case TAP_FORMAT_BINARY_WIDTH:
		return "%b takes a width of 1, 2, 4 or 8 and no precision";
	case TAP_FORMAT_FLAGS:
		return "this conversion does not take these flags, width or precision";
	}
	return "no error";
}

static char peek(const struct tap_format_cursor *f)
{
	return f->at < f->size ? f->text[f->at] : 0;
}

static u8 read_flags(struct tap_format_cursor *f)
{
	u8 flags = 0;

	for (;; f->at++) {
		switch (peek(f)) {
		case '-': flags |= TAP_FORMAT_MINUS; break;
		case '0': flags |= TAP_FORMAT_ZERO; break;
		case '+': flags |= TAP_FORMAT_PLUS; break;
		case ' ': flags |= TAP_FORMAT_SPACE; break;
		case '#': flags |= TAP_FORMAT_ALTERNATE; break;
		default: return flags;
		}
	}
}

/* -1 without digits, TAP_FORMAT_MOST + 1 for anything larger than TAP_FORMAT_MOST. */
static s32 read_number(struct tap_format_cursor *f)
{
	s32 n = -1;

	for (; peek(f) >= '0' && peek(f) <= '9'; f->at++) {
		n = (n < 0 ? 0 : n * 10) + (peek(f) - '0');
		if (n > TAP_FORMAT_MOST)
			n = TAP_FORMAT_MOST + 1;
	}
	return n;
}

static bool read_star(struct tap_format_cursor *f)
{
	if (peek(f) != '*')
		return false;
	f->at++;
	return true;
}

static u8 read_length(struct tap_format_cursor *f)
{
	char c = peek(f);

	if (c != 'h' && c != 'l')
		return 0;
	f->at++;
	if (peek(f) != c)
		return (u8)c;
	f->at++;
	return c == 'h' ? 'H' : 'L';
}

static enum tap_format_reason check_binary(const struct tap_directive *d)
{
	bool odd = d->width != -1 && d->width != 1 && d->width != 2 && d->width != 4 && d->width != 8;

	if (odd || d->star_width || d->star_precision || d->precision != -1)
		return TAP_FORMAT_BINARY_WIDTH;
	return d->flags ? TAP_FORMAT_FLAGS : TAP_FORMAT_OK;
}

static enum tap_format_reason read_conversion(struct tap_format_cursor *f, struct tap_directive *d)
{
	if (f->at >= f->size)
		return TAP_FORMAT_UNFINISHED;
	d->conversion = f->text[f->at++];
	d->argument = TAP_ARGUMENT_LONG;
	if (d->width > TAP_FORMAT_MOST || d->precision > TAP_FORMAT_MOST)
		return TAP_FORMAT_TOO_WIDE;
	switch (d->conversion) {
	case 'i':
		d->conversion = 'd';
		return TAP_FORMAT_OK;
	case 'd': case 'u': case 'x': case 'X': case 'o': case 'p': case 'c':
		return TAP_FORMAT_OK;
	case 's':
		d->argument = TAP_ARGUMENT_STRING;
		return TAP_FORMAT_OK;
	case 'm': case 'M':
		d->argument = TAP_ARGUMENT_MEMORY;
		return TAP_FORMAT_OK;
	case 'b':
		return check_binary(d);
	}
	return TAP_FORMAT_UNKNOWN;
}

static enum tap_format_reason read_directive(struct tap_format_cursor *f, struct tap_directive *d)
{
	f->at++;				/* the % */
	d->flags = read_flags(f);
	d->star_width = read_star(f);
	if (!d->star_width)
		d->width = read_number(f);
	if (peek(f) == '.') {
		f->at++;
		d->star_precision = read_star(f);
		if (!d->star_precision) {
			d->precision = read_number(f);
			if (d->precision < 0)
				d->precision = 0;
		}
	}
	d->length = read_length(f);
	return read_conversion(f, d);
}

enum tap_format_reason tap_format_next(struct tap_format_cursor *f, struct tap_directive *d)
{
	enum tap_format_reason reason = TAP_FORMAT_OK;
	const char *p = f->text + f->at, *end = f->text + f->size;

	*d = (struct tap_directive){ .position = f->at, .width = -1, .precision = -1 };
	if (p >= end)
		return TAP_FORMAT_END;
	if (*p != '%') {
		while (p < end && *p != '%')
			p++;
		f->at = (u32)(p - f->text);
	} else if (end - p >= 2 && p[1] == '%') {
		f->at += 2;
		d->position++;			/* literal text: only the second % */
	} else {
		reason = read_directive(f, d);
		if (d->conversion == '%')	/* "%5%" */
			reason = TAP_FORMAT_FLAGS;
	}
	d->size = f->at - d->position;
	return reason;
}

/* ---- writing ---- */

struct field {
	u8 flags;
	s32 width, precision;		/* width >= 0; precision -1: absent */
};

/* TEXT of SIZE bytes, padded with blanks. */
static void write_padded(struct tap_writer *w, const struct field *f, const char *text, u32 size)
{
	u32 pad = f->width > (s32)size ? (u32)f->width - size : 0;

	if (pad && !(f->flags & TAP_FORMAT_MINUS))
		tap_write_fill(w, ' ', pad);
	tap_write(w, text, size);
	if (pad && (f->flags & TAP_FORMAT_MINUS))
		tap_write_fill(w, ' ', pad);
}

enum { MOST_DIGITS = 22 };		/* in octal */

/* Writes the digits of N up to END; returns their number. */
static u32 digits_of(u64 n, char conversion, char *end)
{
	const char *digits = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	char *p = end;

	if (conversion == 'd' || conversion == 'u') {
		for (; n; n /= 10)
			*--p = (char)('0' + n % 10);
	} else {
		u32 shift = conversion == 'o' ? 3 : 4;

		for (; n; n >>= shift)
			*--p = digits[n & ((1u << shift) - 1)];
	}
	return (u32)(end - p);
}

static void write_number(struct tap_writer *w, const struct field *f, char conversion, s64 value)
{
	char text[MOST_DIGITS];
	char prefix[2];
	u32 prefix_size = 0, size, zeros = 0, used;
	/* Unlike in C, a precision of 0 still prints a zero: a number is never empty. */
	u32 least = f->precision < 1 ? 1 : (u32)f->precision;
	bool precise = f->precision >= 0;
	u64 n = (u64)value;

	if (conversion == 'd') {
		if (value < 0)
			n = 0 - n;
		if (value < 0)
			prefix[prefix_size++] = '-';
		else if (f->flags & TAP_FORMAT_PLUS)
			prefix[prefix_size++] = '+';
		else if (f->flags & TAP_FORMAT_SPACE)
			prefix[prefix_size++] = ' ';
	}
	size = digits_of(n, conversion, text + sizeof(text));
	if (size < least)
		zeros = least - size;
	if (conversion == 'p' ||
	    (f->flags & TAP_FORMAT_ALTERNATE && (conversion == 'x' || conversion == 'X'))) {
		prefix[prefix_size++] = '0';
		prefix[prefix_size++] = conversion == 'X' ? 'X' : 'x';
	}
	/* Unlike in C, '#' also marks zero: a program that parses "=0x" meets zeros all the
	 * time. */
	if (conversion == 'o' && f->flags & TAP_FORMAT_ALTERNATE && (!zeros || (!n && !precise)))
		zeros++;
	used = prefix_size + zeros + size;
	if ((f->flags & (TAP_FORMAT_ZERO | TAP_FORMAT_MINUS)) == TAP_FORMAT_ZERO && !precise &&
	    (u32)f->width > used) {
		zeros += (u32)f->width - used;
		used = (u32)f->width;
	}
	if (!(f->flags & TAP_FORMAT_MINUS) && (u32)f->width > used)
		tap_write_fill(w, ' ', (u32)f->width - used);
	tap_write(w, prefix, prefix_size);
	if (zeros)
		tap_write_fill(w, '0', zeros);
	tap_write(w, text + sizeof(text) - size, size);
	if ((f->flags & TAP_FORMAT_MINUS) && (u32)f->width > used)
		tap_write_fill(w, ' ', (u32)f->width - used);
}

static void write_decimal(struct tap_writer *w, s64 value)
{
	char text[MOST_DIGITS];
	char *end = text + sizeof(text), *p = end;
	u64 n = value < 0 ? 0 - (u64)value : (u64)value;

	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	if (value < 0)
		*--p = '-';
	tap_write(w, p, (u64)(end - p));
}

static void write_character(struct tap_writer *w, const struct field *f, u8 byte)
{
	static const char letters[] = "abtnvfr";	/* for the bytes 7 to 13 */
	char text[4] = { '\\' };

	if (!(f->flags & TAP_FORMAT_ALTERNATE) || (byte >= ' ' && byte < 0x7f && byte != '\\')) {
		text[0] = (char)byte;
		write_padded(w, f, text, 1);
	} else if (byte == '\\') {
		write_padded(w, f, "\\\\", 2);
	} else if (byte >= 7 && byte <= 13) {
		text[1] = letters[byte - 7];
		write_padded(w, f, text, 2);
	} else {
		text[1] = (char)('0' + (byte >> 6));
		text[2] = (char)('0' + (byte >> 3 & 7));
		text[3] = (char)('0' + (byte & 7));
		write_padded(w, f, text, 4);
	}
}

static void write_binary(struct tap_writer *w, s32 width, s64 value)
{
	u8 one = (u8)value;
	u16 two = (u16)value;
	u32 four = (u32)value;

	switch (width) {
	case 1: tap_write(w, (const char *)&one, 1); break;
	case 2: tap_write(w, (const char *)&two, 2); break;
	case 4: tap_write(w, (const char *)&four, 4); break;
	default: tap_write(w, (const char *)&value, 8); break;
	}
}

static void write_hex_dump(struct tap_writer *w, const struct field *f, const char *data, u32 size)
{
	static const char digits[] = "0123456789abcdef";
	u32 shown = size * 2;
	u32 pad = f->width > (s32)shown ? (u32)f->width - shown : 0;
	u32 i;

	if (!(f->flags & TAP_FORMAT_MINUS))
		tap_write_fill(w, ' ', pad);
	for (i = 0; i < size; i++) {
		tap_write_byte(w, digits[(u8)data[i] >> 4]);
		tap_write_byte(w, digits[data[i] & 15]);
	}
	if (f->flags & TAP_FORMAT_MINUS)
		tap_write_fill(w, ' ', pad);
}

static s32 within_most(s64 n)
{
	return n > TAP_FORMAT_MOST ? TAP_FORMAT_MOST : (s32)n;
}

/* Width and precision, from the format or from values; *VALUES advances past the stars. */
static struct field field_of(const struct tap_directive *d, const union tap_value **values)
{
	struct field f = { d->flags, d->width < 0 ? 0 : d->width, d->precision };

	if (d->star_width) {
		s64 width = (*values)++->n;

		if (width < 0)
			f.flags |= TAP_FORMAT_MINUS;
		if (width < -TAP_FORMAT_MOST)
			width = -TAP_FORMAT_MOST;
		f.width = within_most(width < 0 ? -width : width);
	}
	if (d->star_precision) {
		s64 precision = (*values)++->n;

		f.precision = precision < 0 ? -1 : within_most(precision);
	}
	return f;
}

/* Writes directive D of the format TEXT; VALUES are its stars, followed by its argument. */
static void tap_format_directive(struct tap_writer *w, const char *text, const struct tap_directive *d,
				 const union tap_value *values)
{
	struct field f;
	u32 size;

	if (!d->conversion) {
		tap_write(w, text + d->position, d->size);
		return;
	}
	f = field_of(d, &values);
	switch (d->conversion) {
	case 'c':
		write_character(w, &f, (u8)values->n);
		return;
	case 'b':
		write_binary(w, d->width, values->n);
		return;
	case 's': case 'm': case 'M':
		size = values->s.size;
		if (d->conversion != 's' && f.precision < 0)
			f.precision = 1;
		if (f.precision >= 0 && size > (u32)f.precision)
			size = (u32)f.precision;
		if (d->conversion == 'M')
			write_hex_dump(w, &f, values->s.data, size);
		else
			write_padded(w, &f, values->s.data, size);
		return;
	default:
		write_number(w, &f, d->conversion, values->n);
	}
}

/* Writes the directive at P of FORMAT, in the general way; returns the text after it, or NULL
 * if it is invalid. */
static const char *general_directive(struct tap_writer *w, const char *format, const char *p,
				     const union tap_value **args)
{
	u32 at = (u32)(p - format);
	struct tap_format_cursor f = { format, at + (u32)__builtin_strlen(p), at };
	struct tap_directive d;

	if (tap_format_next(&f, &d) != TAP_FORMAT_OK)
		return NULL;
	tap_format_directive(w, format, &d, *args);
	*args += tap_directive_values(&d);
	return format + f.at;
}

/* Runs in handlers, where nearly all directives are %s and %d. */
u32 tap_format_values(char *out, u32 room, const char *format, const union tap_value *args)
{
	struct tap_writer w = { out, out, out + room - 1, NULL };
	const char *p = format, *literal;

	while (p) {
		for (literal = p; *p && *p != '%'; p++)
			;
		if (p != literal)
			tap_write(&w, literal, (u64)(p - literal));
		if (!*p)
			break;
		if (p[1] == 's') {
			tap_write(&w, args->s.data, args->s.size);
			args++;
			p += 2;
		} else if (p[1] == 'd') {
			write_decimal(&w, args++->n);
			p += 2;
		} else {
			p = general_directive(&w, format, p, &args);
		}
	}
	*w.at = 0;
	return (u32)(w.at - out);
}

/* C's argument for D, promoted according to its length. */
static union tap_value argument_of(const struct tap_directive *d, __builtin_va_list *args)
{
	union tap_value v = { 0 };
	bool wide = d->length == 'L' || (d->length == 'l' && sizeof(long) == 8);

	if (d->argument == TAP_ARGUMENT_STRING) {
		const char *s = __builtin_va_arg(*args, const char *);

		if (!s)
			s = "(null)";
		v.s = (struct tap_string){ s, (u32)__builtin_strlen(s) };
	} else if (d->conversion == 'p') {
		v.n = (s64)(unsigned long)__builtin_va_arg(*args, void *);
	} else if (wide) {
		v.n = __builtin_va_arg(*args, long long);
	} else {
		v.n = __builtin_va_arg(*args, int);
		if (d->conversion != 'd')
			v.n = (u32)v.n;
	}
	return v;
}

u32 tap_format_arguments(char *out, u32 room, const char *format, __builtin_va_list args)
{
	struct tap_writer w = { out, out, out + room - 1, NULL };
	struct tap_format_cursor f = { format, (u32)__builtin_strlen(format), 0 };
	struct tap_directive d;
	__builtin_va_list rest;

	__builtin_va_copy(rest, args);
	while (tap_format_next(&f, &d) == TAP_FORMAT_OK) {
		union tap_value values[3];
		u32 n = 0;

		if (d.argument == TAP_ARGUMENT_MEMORY)
			break;
		if (d.star_width)
			values[n++].n = __builtin_va_arg(rest, int);
		if (d.star_precision)
			values[n++].n = __builtin_va_arg(rest, int);
		if (d.argument != TAP_ARGUMENT_NONE)
			values[n] = argument_of(&d, &rest);
		tap_format_directive(&w, format, &d, values);
	}
	__builtin_va_end(rest);
	*w.at = 0;
	return (u32)(w.at - out);
}

/* ---- records ---- */

static bool take(struct tap_format_payload *p, void *to, u32 size)
{
	if (p->left < size)
		return false;
	__builtin_memcpy(to, p->at, size);
	p->at += size;
	p->left -= size;
	return true;
}

static bool take_string(struct tap_format_payload *p, struct tap_string *s)
{
	u16 size;

	if (!take(p, &size, sizeof(size)) || p->left < size)
		return false;
	s->data = (const char *)p->at;
	s->size = size;
	p->at += size;
	p->left -= size;
	return true;
}

bool tap_format_take(struct tap_format_payload *p, const struct tap_directive *d, union tap_value *values)
{
	u32 stars = (u32)d->star_width + d->star_precision;
	u32 i;

	for (i = 0; i < stars; i++)
		if (!take(p, &values[i].n, sizeof(values[i].n)))
			return false;
	switch (d->argument) {
	case TAP_ARGUMENT_LONG:
		return take(p, &values[stars].n, sizeof(values[stars].n));
	case TAP_ARGUMENT_STRING:
	case TAP_ARGUMENT_MEMORY:
		return take_string(p, &values[stars].s);
	}
	return true;
}

/* With W: write; without: only check that format and payload match. */
static bool walk_record(struct tap_writer *w, const char *format, u32 format_size,
			struct tap_format_payload p)
{
	struct tap_format_cursor f = { format, format_size, 0 };
	enum tap_format_reason reason;
	struct tap_directive d;
	union tap_value values[3];

	while ((reason = tap_format_next(&f, &d)) == TAP_FORMAT_OK) {
		if (!tap_format_take(&p, &d, values))
			return false;
		if (w)
			tap_format_directive(w, format, &d, values);
	}
	return reason == TAP_FORMAT_END && p.left == 0;
}

bool tap_format_record(struct tap_writer *w, const char *format, u32 format_size,
		       const u8 *payload, u32 size)
{
	struct tap_format_payload p = { payload, size };

	return walk_record(NULL, format, format_size, p) && (!w || walk_record(w, format, format_size, p));
}

/* ---- the same with a format that was parsed before ---- */

u32 tap_format_count(const char *text, u32 size)
{
	struct tap_format_cursor f = { text, size, 0 };
	struct tap_directive d;
	u32 n = 0;

	while (tap_format_next(&f, &d) == TAP_FORMAT_OK)
		n++;
	return n;
}

struct tap_format_parsed tap_format_parse(const char *text, u32 size, struct tap_directive *directives)
{
	struct tap_format_parsed f = { .text = text, .directives = directives };
	struct tap_format_cursor cursor = { text, size, 0 };
	enum tap_format_reason reason;
	struct tap_directive d;

	while ((reason = tap_format_next(&cursor, &d)) == TAP_FORMAT_OK) {
		bool is_string = d.argument == TAP_ARGUMENT_STRING || d.argument == TAP_ARGUMENT_MEMORY;

		directives[f.count++] = d;
		f.least += (u32)sizeof(s64) * (tap_directive_values(&d) - is_string);
		f.least += is_string ? (u32)sizeof(u16) : 0;
		f.has_strings |= is_string;
	}
	f.valid = reason == TAP_FORMAT_END;
	return f;
}

static bool is_payload_of(const struct tap_format_parsed *f, const u8 *payload, u32 size)
{
	u64 at = 0;

	if (!f->valid || !f->has_strings || size < f->least)
		return f->valid && size == f->least;
	for (u32 i = 0; i < f->count; i++) {
		const struct tap_directive *d = &f->directives[i];
		u16 length;

		at += sizeof(s64) * tap_directive_values(d);
		if (d->argument < TAP_ARGUMENT_STRING)
			continue;
		at -= sizeof(s64);
		if (at + sizeof(length) > size)
			return false;
		__builtin_memcpy(&length, payload + at, sizeof(length));
		at += sizeof(length) + length;
	}
	return at == size;
}

static bool is_plain(const struct tap_directive *d)
{
	return !d->flags && !d->star_width && !d->star_precision && d->width < 0 && d->precision < 0;
}

bool tap_format_record_parsed(struct tap_writer *w, const struct tap_format_parsed *f, const u8 *payload, u32 size)
{
	struct tap_format_payload p = { payload, size };
	union tap_value values[3];

	if (!is_payload_of(f, payload, size))
		return false;
	for (u32 i = 0; w && i < f->count; i++) {
		const struct tap_directive *d = &f->directives[i];

		if (!d->conversion) {
			tap_write(w, f->text + d->position, d->size);
		} else if (d->conversion == 'd' && is_plain(d)) {
			take(&p, &values->n, sizeof(values->n));
			write_decimal(w, values->n);
		} else if (d->conversion == 's' && is_plain(d)) {
			take_string(&p, &values->s);
			tap_write(w, values->s.data, values->s.size);
		} else {
			tap_format_take(&p, d, values);
			tap_format_directive(w, f->text, d, values);
		}
	}
	return true;
}
