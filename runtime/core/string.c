/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tapset's functions on strings. */
#include "core/scratch.h"
#include "core/string.h"

struct tap_string tap_slice(struct tap_context *c, struct tap_string s, u32 start, u32 size)
{
	u64 n = size;
	char *text;

	if (start + size == s.size)
		return (struct tap_string){ s.data + start, size };	/* its NUL is that of S */
	text = tap_room_for(c, &n);
	if (!text)
		return TAP_EMPTY;
	__builtin_memcpy(text, s.data + start, n);
	text[n] = 0;
	return (struct tap_string){ text, (u32)n };
}

struct tap_string tap_substr(struct tap_context *c, struct tap_string s, s64 start, s64 length)
{
	if (start < 0 || start >= (s64)s.size || length < 1)
		return TAP_EMPTY;
	if (length > (s64)s.size - start)
		length = (s64)s.size - start;
	return tap_slice(c, s, (u32)start, (u32)length);
}

s64 tap_strpos(struct tap_string s, struct tap_string find)
{
	u32 i;

	if (!find.size)
		return 0;
	for (i = 0; i + find.size <= s.size; i++)
		if (s.data[i] == find.data[0] && !__builtin_memcmp(s.data + i, find.data, find.size))
			return i;
	return -1;
}

static u32 digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (u32)(c - '0');
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
		return (u32)((c | 0x20) - 'a') + 10;
	return 255;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips 0x if it belongs to the number; replaces *BASE 0 by the base that the prefix implies. */
static u32 skip_prefix(struct tap_string s, u32 i, s64 *base)
{
	bool zero = i < s.size && s.data[i] == '0';

	if (zero && (*base == 0 || *base == 16) && s.size - i > 2 && (s.data[i + 1] | 0x20) == 'x' &&
	    digit_of(s.data[i + 2]) < 16) {
		*base = 16;
		return i + 2;
	}
	if (*base == 0)
		*base = zero ? 8 : 10;
	return i;
}

s64 tap_strtol(struct tap_string s, s64 base)
{
	bool negative = false, full = false;
	u64 most, n = 0;
	u32 i = 0;

	if (base < 0 || base == 1 || base > 36)
		return 0;
	while (i < s.size && is_blank(s.data[i]))
		i++;
	if (i < s.size && (s.data[i] == '-' || s.data[i] == '+'))
		negative = s.data[i++] == '-';
	i = skip_prefix(s, i, &base);
	most = negative ? 1ull << 63 : ~0ull;		/* addresses have the top bit set */
	for (; i < s.size && digit_of(s.data[i]) < base; i++) {
		u32 digit = digit_of(s.data[i]);

		full |= n > (most - digit) / (u64)base;
		n = n * (u64)base + digit;
	}
	if (full)
		n = most;
	return (s64)(negative ? 0 - n : n);
}

s64 tap_stringat(struct tap_context *c, struct tap_string s, s64 position)
{
	if (position < 0 || position >= (s64)s.size) {
		tap_error(c, "position %lld is outside of the string, which has %llu bytes", position, s.size);
		return 0;
	}
	return (u8)s.data[position];
}

struct tap_string tap_str_replace(struct tap_context *c, struct tap_string s, struct tap_string find,
				  struct tap_string by)
{
	u64 room = tap_string_limit() - 1;
	u32 i = 0, n = 0;
	char *text;

	if (!find.size || tap_strpos(s, find) < 0)
		return s;
	if (by.size <= find.size && s.size < room)
		room = s.size;
	text = tap_room_for(c, &room);
	if (!text)
		return TAP_EMPTY;
	while (i < s.size && n < room) {
		if (s.size - i >= find.size && !__builtin_memcmp(s.data + i, find.data, find.size)) {
			u32 size = by.size < room - n ? by.size : (u32)room - n;

			__builtin_memcpy(text + n, by.data, size);
			n += size;
			i += find.size;
		} else {
			text[n++] = s.data[i++];
		}
	}
	return tap_room_finish(c, text, n);
}

static bool is_plain(u8 byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static bool copy_plain_word(char *to, const char *from)
{
	u64 word;

	__builtin_memcpy(&word, from, sizeof(word));
	if (!tap_are_plain(word))
		return false;
	__builtin_memcpy(to, &word, sizeof(word));
	return true;
}

/* Copies the bytes at FROM, at most SIZE, up to the first that needs an escape; returns how
 * many. The last word overlaps the one before it. */
static u32 copy_plain(char *to, const char *from, u32 size)
{
	u32 i;

	for (i = 0; i + 8 <= size && copy_plain_word(to + i, from + i); i += 8)
		;
	if (size - i < 8 && size >= 8 && copy_plain_word(to + size - 8, from + size - 8))
		return size;
	for (; i < size && is_plain((u8)from[i]); i++)
		to[i] = from[i];
	return i;
}

#define LONGEST_ESCAPE 10	/* \UXXXXXXXX */

/* The length of the UTF-8 character that starts with the byte LEAD; 0 if LEAD does not start a multibyte character. */
static u32 utf8_size(u8 lead)
{
	return lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* The multibyte character at AT, of which LEFT bytes can be read: its code point, and its length in *SIZE. 0 if it
 * is incomplete or invalid: an overlong form, a surrogate, or beyond 0x10ffff. */
static u32 utf8_at(const char *at, u32 left, u32 *size)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	u32 i, point;

	*size = utf8_size((u8)at[0]);
	if (!*size || *size > left)
		return 0;
	point = (u8)at[0] & (0x7f >> *size);
	for (i = 1; i < *size; i++) {
		if (((u8)at[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | ((u8)at[i] & 0x3f);
	}
	return point < least[*size] || point > 0x10ffff || point >> 11 == 0x1b ? 0 : point;
}

/* Writes code point POINT as \uXXXX or \UXXXXXXXX to OUT; returns the length. */
static u32 escape_point(u32 point, char out[LONGEST_ESCAPE])
{
	u32 digits = point > 0xffff ? 8 : 4, i;

	out[0] = '\\';
	out[1] = digits == 8 ? 'U' : 'u';
	for (i = 0; i < digits; i++)
		out[2 + i] = "0123456789ABCDEF"[point >> 4 * (digits - 1 - i) & 15];
	return 2 + digits;
}

/* Writes BYTE to OUT as tap_text shows it; returns the length. */
static u32 escape(u8 byte, char out[4])
{
	static const char letters[] = "abtnvfr";	/* for the bytes 7 to 13 */

	if (is_plain(byte)) {
		out[0] = (char)byte;
		return 1;
	}
	out[0] = '\\';
	if (byte == '"' || byte == '\\' || (byte >= 7 && byte <= 13)) {
		out[1] = byte >= 7 && byte <= 13 ? letters[byte - 7] : (char)byte;
		return 2;
	}
	out[1] = (char)('0' + (byte >> 6));
	out[2] = (char)('0' + (byte >> 3 & 7));
	out[3] = (char)('0' + (byte & 7));
	return 4;
}

/* Writes the representation of the byte or character at AT, of which LEFT bytes can be read, to OUT; returns its
 * length. *TAKEN is the number of bytes at AT that it represents. */
static u32 escape_at(const char *at, u32 left, char out[LONGEST_ESCAPE], u32 *taken)
{
	u32 point = (u8)*at < 0x80 ? 0 : utf8_at(at, left, taken);

	if (point)
		return escape_point(point, out);
	*taken = 1;
	return escape((u8)*at, out);
}

/* Writes the escaped bytes of S that fit into ROOM to TEXT; *TAKEN is the number of bytes of S. */
static u32 escape_all(char *text, u32 room, struct tap_string s, u32 *taken)
{
	u32 i, n = 0;

	for (i = 0; i < s.size; ) {
		u32 plain = copy_plain(text + n, s.data + i, s.size - i < room - n ? s.size - i : room - n), size, used;
		char piece[LONGEST_ESCAPE];

		i += plain;
		n += plain;
		if (i == s.size)
			break;
		size = escape_at(s.data + i, s.size - i, piece, &used);
		if (size > room - n)
			break;
		__builtin_memcpy(text + n, piece, size);
		n += size;
		i += used;
	}
	*taken = i;
	return n;
}

struct tap_string tap_text(struct tap_context *c, struct tap_string s, s64 most, bool quoted)
{
	const u32 least = quoted ? 5 : 0;	/* the shortest form that shows a truncation: ""... */
	u64 room = most > 0 && most < (s64)tap_string_limit() - 1 ? (u64)most : tap_string_limit() - 1;
	u32 n, taken;
	char *text;

	if (room < least)
		room = least < tap_string_limit() - 1 ? least : tap_string_limit() - 1;
	if (quoted && room < 2)
		return TAP_EMPTY;
	if ((u64)s.size * 4 + 2 < room)
		room = (u64)s.size * 4 + 2;
	text = tap_room_for(c, &room);
	if (!text)
		return TAP_EMPTY;
	if (!quoted)
		return tap_room_finish(c, text, escape_all(text, (u32)room, s, &taken));
	text[0] = '"';
	n = 1 + escape_all(text + 1, (u32)room - 2, s, &taken);
	if (taken < s.size && room >= 5) {
		n = 1 + escape_all(text + 1, (u32)room - 5, s, &taken);
		__builtin_memcpy(text + n, "\"...", 4);
		return tap_room_finish(c, text, n + 4);
	}
	text[n] = '"';
	return tap_room_finish(c, text, n + 1);
}

static struct tap_string change_case(struct tap_context *c, struct tap_string s, char first)
{
	struct tap_string copy = tap_string_hold(c, s);
	char *text = (char *)copy.data;
	u32 i;

	for (i = 0; i < copy.size; i++)
		if ((u8)(text[i] - first) < 26)
			text[i] ^= 0x20;
	return copy;
}

struct tap_string tap_toupper(struct tap_context *c, struct tap_string s)
{
	return change_case(c, s, 'a');
}

struct tap_string tap_tolower(struct tap_context *c, struct tap_string s)
{
	return change_case(c, s, 'A');
}

bool tap_token(struct tap_string s, struct tap_string delimiters, u32 *at, u32 *start, u32 *size)
{
	u64 set[4] = { 0 };
	u32 i;

	for (i = 0; i < delimiters.size; i++)
		set[(u8)delimiters.data[i] >> 6] |= 1ull << (delimiters.data[i] & 63);
#define IS_DELIMITER(c) (set[(u8)(c) >> 6] >> ((c) & 63) & 1)
	for (i = *at; i < s.size && IS_DELIMITER(s.data[i]); )
		i++;
	*start = i;
	while (i < s.size && !IS_DELIMITER(s.data[i]))
		i++;
#undef IS_DELIMITER
	*size = i - *start;
	*at = i < s.size ? i + 1 : i;
	return *size != 0;
}
