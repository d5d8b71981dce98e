/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubles to and from decimal text, exactly, with long numbers: 32-bit words, lowest first, as many as the largest
 * double or the longest text needs. */
#include "core/float_text.h"

#include "core/float.h"
#include "core/string.h"

enum {
	WHOLE_WORDS = 33,		/* 2^1024 */
	MORE_WORDS = 34,		/* 2^-1074 */
	WHOLE_DIGITS = 309,
	/* A double, or the middle between two, has at most 767 digits: further digits only matter as "not zero". */
	MOST_DIGITS = 770,
	LEAST_POWER = -324 - MOST_DIGITS,
	/* 10^1094 and 770 digits take 3,635 bits, plus 64 for the quotient. */
	LONG_WORDS = 120,
};

struct long_number {
	u32 size;			/* words in use; the top one is not 0 */
	u32 words[LONG_WORDS];
};

/* ---- to text ---- */

/* Writes the integer SIGNIFICAND * 2^EXPONENT as digits that end at END; returns where they
 * begin. */
static char *whole_digits(char *end, u64 significand, u32 exponent)
{
	u32 words[WHOLE_WORDS] = { 0 }, low = exponent / 32, bits = exponent % 32;
	s32 top = WHOLE_WORDS - 1;
	unsigned __int128 wide = (unsigned __int128)significand << bits;

	for (u32 i = 0; i < 3 && low + i < WHOLE_WORDS; i++)
		words[low + i] = (u32)(wide >> 32 * i);
	do {
		u64 left = 0;

		for (s32 i = top; i >= 0; i--) {
			left = left << 32 | words[i];
			words[i] = (u32)(left / 1000000000);
			left %= 1000000000;
		}
		while (top >= 0 && !words[top])
			top--;
		for (u32 i = 0; i < 9 && (top >= 0 || left || !i); i++) {
			*--end = (char)('0' + left % 10);
			left /= 10;
		}
	} while (top >= 0);
	return end;
}

/* Writes COUNT digits of the fraction of SIGNIFICAND / 2^BELOW; returns how the rest compares with a half: below 0,
 * 0, or above 0. */
static int fraction_digits(char *to, u32 count, u64 significand, u32 below)
{
	u32 words[MORE_WORDS] = { 0 };	/* the fraction * 2^(32 * MORE_WORDS) */
	u32 shift = 32 * MORE_WORDS - below, low = shift / 32;
	unsigned __int128 wide = (unsigned __int128)significand << shift % 32;
	bool rest = false;

	for (u32 i = 0; i < 3 && low + i < MORE_WORDS; i++)
		words[low + i] = (u32)(wide >> 32 * i);
	while (count--) {
		u64 carry = 0;

		for (u32 i = 0; i < MORE_WORDS; i++) {
			carry += (u64)words[i] * 10;
			words[i] = (u32)carry;
			carry >>= 32;
		}
		*to++ = (char)('0' + carry);
	}
	for (u32 i = 0; i < MORE_WORDS - 1; i++)
		rest |= words[i] != 0;
	if (words[MORE_WORDS - 1] != 1u << 31)
		return words[MORE_WORDS - 1] < 1u << 31 ? -1 : 1;
	return rest;
}

/* Adds one to the last of the digits from FIRST to END, which may include a point. The digit at FIRST is never a 9. */
static void digits_up(char *first, char *end)
{
	while (end-- > first) {
		if (*end == '.')
			continue;
		if (*end != '9') {
			++*end;
			return;
		}
		*end = '0';
	}
}

/* The digits of a finite number, its point and PRECISION digits; TEXT begins with a 0 that takes a carry. */
static char *digits(char *text, u64 significand, s32 exponent, u32 precision, u32 *size)
{
	char *point = text + WHOLE_DIGITS + 1, *first, *end = point + (precision > 0);
	int rest = -1;

	*point = '.';
	if (exponent >= 0) {
		first = whole_digits(point, significand, (u32)exponent);
		__builtin_memset(end, '0', precision);
	} else {
		first = whole_digits(point, exponent > -64 ? significand >> -exponent : 0, 0);
		rest = fraction_digits(end, precision, significand, (u32)-exponent);
	}
	end += precision;
	*--first = '0';
	if (rest > 0 || (rest == 0 && (end[-1] & 1)))
		digits_up(first, end);
	first += *first == '0';
	*size = (u32)(end - first);
	return first;
}

struct tap_string tap_float_text(struct tap_context *c, u64 a, u32 precision)
{
	u32 biased = (u32)(a >> 52 & 0x7ff), size;
	u64 significand = a & ((1ull << 52) - 1);
	char *text, *first;

	if (biased == 0x7ff)
		return significand ? TAP_STRING("nan") : a >> 63 ? TAP_STRING("-inf") : TAP_STRING("inf");
	text = tap_scratch(c, WHOLE_DIGITS + TAP_MOST_PRECISION + 4);
	if (!text)
		return TAP_EMPTY;
	if (biased)
		significand |= 1ull << 52;
	first = digits(text + 1, significand, (s32)(biased ? biased : 1) - 1075, precision, &size);
	if (a >> 63) {
		*--first = '-';
		size++;
	}
	if (size >= tap_script.limits.string)
		size = tap_script.limits.string - 1;
	first[size] = 0;
	return (struct tap_string){ first, size };
}

/* ---- from text ---- */

/* n = n * BY + PLUS. The words always suffice. */
static void multiply(struct long_number *n, u32 by, u32 plus)
{
	u64 carry = plus;

	for (u32 i = 0; i < n->size; i++) {
		carry += (u64)n->words[i] * by;
		n->words[i] = (u32)carry;
		carry >>= 32;
	}
	if (carry && n->size < LONG_WORDS)
		n->words[n->size++] = (u32)carry;
}

static void multiply_ten(struct long_number *n, u32 power)
{
	for (; power >= 9; power -= 9)
		multiply(n, 1000000000, 0);
	while (power--)
		multiply(n, 10, 0);
}

static u32 bits_of(const struct long_number *n)
{
	return n->size ? 32 * n->size - (u32)__builtin_clz(n->words[n->size - 1]) : 0;
}

static void shift_up(struct long_number *n, u32 bits)
{
	u32 words = bits / 32;

	multiply(n, 1u << bits % 32, 0);
	if (!words || !n->size || n->size + words > LONG_WORDS)
		return;
	__builtin_memmove(n->words + words, n->words, 4 * n->size);
	__builtin_memset(n->words, 0, 4 * words);
	n->size += words;
}

static int compare(const struct long_number *a, const struct long_number *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	for (u32 i = a->size; i--;)
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	return 0;
}

/* a -= b; b is not larger */
static void subtract(struct long_number *a, const struct long_number *b)
{
	s64 carry = 0;

	for (u32 i = 0; i < a->size; i++) {
		carry += (s64)a->words[i] - (i < b->size ? b->words[i] : 0);
		a->words[i] = (u32)carry;
		carry >>= 32;
	}
	while (a->size && !a->words[a->size - 1])
		a->size--;
}

/* The highest 64 bits of an integer; *DROPPED: the number of bits below, *REST: one of those is
 * set. */
static u64 highest_bits(const struct long_number *n, u32 *dropped, bool *rest)
{
	u32 bits = bits_of(n), word, shift;
	u64 value = 0;

	*rest = false;
	*dropped = bits > 64 ? bits - 64 : 0;
	word = *dropped / 32;
	shift = *dropped % 32;
	for (u32 i = 0; i < 3 && word + i < n->size; i++) {
		s32 at = (s32)(32 * i) - (s32)shift;

		value |= at < 0 ? n->words[word + i] >> -at : (u64)n->words[word + i] << at;
	}
	for (u32 i = 0; i < word; i++)
		*rest |= n->words[i] != 0;
	*rest |= (n->words[word] & ((1u << shift) - 1)) != 0;
	return value;
}

/* NUMBER / 10^POWER as 63 or 64 bits and an exponent. DIVISOR is working space. */
static u64 divided(bool negative, struct long_number *number, struct long_number *divisor, u32 power)
{
	s32 shift;
	u64 quotient = 0;

	divisor->size = 1;
	divisor->words[0] = 1;
	multiply_ten(divisor, power);
	shift = (s32)bits_of(number) - (s32)bits_of(divisor);
	if (shift > 0)
		shift_up(divisor, (u32)shift);
	else
		shift_up(number, (u32)-shift);
	for (u32 bit = 0; bit < 64; bit++) {
		quotient <<= 1;
		if (compare(number, divisor) >= 0) {
			subtract(number, divisor);
			quotient |= 1;
		}
		shift_up(number, 1);
	}
	return tap_float_make(negative, shift - 63, quotient, number->size != 0);
}

struct decimal {
	bool negative;
	s64 power;			/* power of ten of the last digit that was kept */
	u32 digits;
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Reads the digits at TEXT into NUMBER; returns the text after them. */
static const char *read_digits(const char *text, struct long_number *number, struct decimal *d)
{
	bool point = false, any = false, more = false;

	for (;; text++) {
		if (*text == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(*text))
			break;
		any = true;
		d->power -= point;
		if (d->digits >= MOST_DIGITS) {
			more |= *text != '0';
			d->power++;
		} else if (d->digits || *text != '0') {
			multiply(number, 10, (u32)(*text - '0'));
			d->digits++;
		}
	}
	if (more) {
		multiply(number, 10, 1);
		d->power--;
	}
	return any ? text : NULL;
}

/* The exponent written at TEXT, as in e-12; 0 if TEXT has no exponent. */
static s64 read_power(const char *text)
{
	s64 power = 0;
	bool negative;

	if ((*text | 0x20) != 'e')
		return 0;
	negative = *++text == '-';
	text += negative || *text == '+';
	for (; is_digit(*text); text++)
		if (power < 100000)
			power = 10 * power + (*text - '0');
	return negative ? -power : power;
}

static bool begins(const char *text, const char *word)
{
	for (; *word; text++, word++)
		if ((*text | 0x20) != *word)
			return false;
	return true;
}

static u64 decimal_value(struct decimal *d, struct long_number *number, struct long_number *room)
{
	u64 sign = d->negative ? TAP_FLOAT_SIGN : 0, value;
	u32 dropped;
	bool rest;

	if (!d->digits || d->power + (s64)d->digits < -324)
		return sign;
	if (d->power + (s64)d->digits > 310)
		return sign | TAP_FLOAT_INFINITY;
	if (d->power < 0)
		return divided(d->negative, number, room, (u32)-d->power);
	multiply_ten(number, (u32)d->power);
	value = highest_bits(number, &dropped, &rest);
	return tap_float_make(d->negative, (s32)dropped, value, rest);
}

u64 tap_float_parse(struct tap_context *c, struct tap_string s)
{
	char *mark = c->scratch;
	struct long_number *number = tap_scratch(c, 2 * sizeof(*number));
	struct decimal d = { 0 };
	const char *text = s.data, *end;
	u64 value = 0;

	if (!number)
		return 0;
	number[0].size = 0;
	while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
		text++;
	d.negative = *text == '-';
	text += d.negative || *text == '+';
	if (begins(text, "inf")) {
		value = (d.negative ? TAP_FLOAT_SIGN : 0) | TAP_FLOAT_INFINITY;
	} else if (begins(text, "nan")) {
		value = TAP_FLOAT_NAN;
	} else {
		end = read_digits(text, &number[0], &d);
		if (end) {
			d.power += read_power(end);
			value = decimal_value(&d, &number[0], &number[1]);
		}
	}
	c->scratch = mark;
	return value;
}
