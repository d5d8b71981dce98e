/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on doubles without an FPU. An operation unpacks its operands to sign, exponent and a significand with
 * its hidden bit, computes on integers so wide that lost bits only matter as "not zero", and packs once: so each
 * result is the exact one, rounded once. */
#include "core/float.h"

enum {
	FRACTION_BITS = 52,
	BIAS = 1023 + FRACTION_BITS,	/* of the exponent of an integer significand */
	LEAST_EXPONENT = 1 - BIAS,	/* of subnormal numbers */
	SPECIAL = 0x7ff,
};
#define HIDDEN (1ull << FRACTION_BITS)

struct parts {
	bool negative;
	s32 exponent;			/* value: significand * 2^exponent */
	u64 significand;		/* 0, or normalised: HIDDEN is its top bit */
};

static bool is_infinite(u64 a)
{
	return (a & ~TAP_FLOAT_SIGN) == TAP_FLOAT_INFINITY;
}

static bool is_zero(u64 a)
{
	return !(a & ~TAP_FLOAT_SIGN);
}

/* A must be finite. */
static struct parts unpack(u64 a)
{
	s32 biased = (s32)(a >> FRACTION_BITS & SPECIAL), shift;
	u64 fraction = a & (HIDDEN - 1);

	if (biased)
		return (struct parts){ a >> 63, biased - BIAS, fraction | HIDDEN };
	if (!fraction)
		return (struct parts){ a >> 63, LEAST_EXPONENT, 0 };
	shift = __builtin_clzll(fraction) - (63 - FRACTION_BITS);
	return (struct parts){ a >> 63, LEAST_EXPONENT - shift, fraction << shift };
}

/* VALUE without its lowest BITS; sets *REST if one of them was set. */
static u64 shift_down(u64 value, u32 bits, bool *rest)
{
	if (bits > 63) {
		*rest |= value != 0;
		return 0;
	}
	*rest |= (value & ((1ull << bits) - 1)) != 0;
	return value >> bits;
}

u64 tap_float_make(bool negative, s32 exponent, u64 significand, bool rest)
{
	u64 sign = negative ? TAP_FLOAT_SIGN : 0;
	s32 drop;
	bool half;

	if (!significand)
		return sign;
	drop = 64 - FRACTION_BITS - 1 - __builtin_clzll(significand);
	if (exponent + drop < LEAST_EXPONENT)
		drop = LEAST_EXPONENT - exponent;
	if (drop <= 0) {
		significand <<= -drop;
	} else {
		significand = shift_down(significand, (u32)drop - 1, &rest);
		half = significand & 1;
		significand >>= 1;
		significand += half && (rest || (significand & 1));
	}
	exponent += drop;
	if (significand == HIDDEN << 1) {
		significand >>= 1;
		exponent++;
	}
	if (significand < HIDDEN)
		return sign | significand;
	if (exponent + BIAS >= SPECIAL)
		return sign | TAP_FLOAT_INFINITY;
	return sign | (u64)(exponent + BIAS) << FRACTION_BITS | (significand & (HIDDEN - 1));
}

static u64 add_finite(struct parts a, struct parts b)
{
	struct parts swap;
	bool rest = false;
	u64 sum;

	if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
		swap = a;
		a = b;
		b = swap;
	}
	a.significand <<= 10;
	b.significand = shift_down(b.significand << 10, (u32)(a.exponent - b.exponent), &rest);
	if (a.negative == b.negative)
		sum = a.significand + b.significand;
	else		/* the true b is slightly larger than b: so the difference is slightly smaller */
		sum = a.significand - b.significand - rest;
	if (!sum && !rest)
		return a.negative && b.negative ? TAP_FLOAT_SIGN : 0;
	return tap_float_make(a.negative, a.exponent - 10, sum, rest);
}

u64 tap_float_add(u64 a, u64 b)
{
	if (tap_float_is_nan(a) || tap_float_is_nan(b) || (is_infinite(a) && is_infinite(b) && a != b))
		return TAP_FLOAT_NAN;
	if (is_infinite(a) || is_zero(b))
		return is_zero(a) ? a & b : a;
	if (is_infinite(b) || is_zero(a))
		return b;
	return add_finite(unpack(a), unpack(b));
}

u64 tap_float_mul(u64 a, u64 b)
{
	bool negative = (a ^ b) >> 63;
	struct parts x, y;
	unsigned __int128 product;

	if (tap_float_is_nan(a) || tap_float_is_nan(b) || (is_infinite(a) && is_zero(b)) ||
	    (is_zero(a) && is_infinite(b)))
		return TAP_FLOAT_NAN;
	if (is_infinite(a) || is_infinite(b))
		return (negative ? TAP_FLOAT_SIGN : 0) | TAP_FLOAT_INFINITY;
	x = unpack(a);
	y = unpack(b);
	product = (unsigned __int128)x.significand * y.significand;
	return tap_float_make(negative, x.exponent + y.exponent + FRACTION_BITS - 8,
			      (u64)(product >> (FRACTION_BITS - 8)),
			      ((u64)product & ((1ull << (FRACTION_BITS - 8)) - 1)) != 0);
}

u64 tap_float_div(u64 a, u64 b)
{
	bool negative = (a ^ b) >> 63;
	struct parts x, y;
	u64 quotient = 0, left;

	if (tap_float_is_nan(a) || tap_float_is_nan(b) || (is_infinite(a) && is_infinite(b)) ||
	    (is_zero(a) && is_zero(b)))
		return TAP_FLOAT_NAN;
	if (is_infinite(b))
		return negative ? TAP_FLOAT_SIGN : 0;
	if (is_infinite(a) || is_zero(b))
		return (negative ? TAP_FLOAT_SIGN : 0) | TAP_FLOAT_INFINITY;
	x = unpack(a);
	y = unpack(b);
	left = x.significand;
	for (s32 bit = 0; bit < 60; bit++) {
		quotient <<= 1;
		if (left >= y.significand) {
			left -= y.significand;
			quotient |= 1;
		}
		left <<= 1;
	}
	return tap_float_make(negative, x.exponent - y.exponent - 59, quotient, left != 0);
}

u64 tap_float_rem(u64 a, u64 b)
{
	struct parts x, y;
	u64 left;
	bool odd = false;

	if (tap_float_is_nan(a) || tap_float_is_nan(b) || is_infinite(a) || is_zero(b))
		return TAP_FLOAT_NAN;
	if (is_infinite(b) || is_zero(a))
		return a;
	x = unpack(a);
	y = unpack(b);
	if (x.exponent < y.exponent - 1)		/* |a| is below half of |b| */
		return a;
	left = x.significand;
	if (x.exponent < y.exponent)			/* in half units: left is below 2 b */
		y.significand <<= 1;
	for (; x.exponent > y.exponent; x.exponent--) {	/* at most 2,098 times */
		left = left >= y.significand ? left - y.significand : left;
		left <<= 1;
	}
	if (left >= y.significand) {
		left -= y.significand;
		odd = true;
	}
	if (left * 2 > y.significand || (left * 2 == y.significand && odd)) {
		left = y.significand - left;
		x.negative = !x.negative;
	}
	return tap_float_make(left ? x.negative : a >> 63, x.exponent, left, false);
}

u64 tap_float_sqrt(u64 a)
{
	struct parts x;
	unsigned __int128 left, trial;
	u64 root = 0;

	if (is_zero(a))
		return a;
	if (tap_float_is_nan(a) || a >> 63)
		return TAP_FLOAT_NAN;
	if (is_infinite(a))
		return a;
	x = unpack(a);
	/* The root of significand * 2^(62 or 63), whichever makes the exponent even: it has 58
	 * bits. */
	left = (unsigned __int128)x.significand << (62 + ((x.exponent - 62) & 1));
	x.exponent -= 62 + ((x.exponent - 62) & 1);
	for (s32 bit = 58; bit >= 0; bit--) {
		trial = ((unsigned __int128)root << (bit + 1)) + ((unsigned __int128)1 << 2 * bit);
		if (left >= trial) {
			left -= trial;
			root |= 1ull << bit;
		}
	}
	return tap_float_make(false, x.exponent / 2, root, left != 0);
}

bool tap_float_equal(u64 a, u64 b)
{
	if (tap_float_is_nan(a) || tap_float_is_nan(b))
		return false;
	return a == b || (is_zero(a) && is_zero(b));
}

bool tap_float_less(u64 a, u64 b)
{
	if (tap_float_is_nan(a) || tap_float_is_nan(b) || (is_zero(a) && is_zero(b)))
		return false;
	if ((a ^ b) >> 63)
		return a >> 63;
	return a >> 63 ? b < a : a < b;
}

u64 tap_float_from_long(s64 value)
{
	return tap_float_make(value < 0, 0, value < 0 ? 0 - (u64)value : (u64)value, false);
}

/* Whether |a| is rounded up from the integer WHOLE below it; HALF: the half bit, REST: a bit
 * below that is set. */
static bool goes_up(enum tap_rounding rounding, bool negative, u64 whole, bool half, bool rest)
{
	if (!half && !rest)
		return false;
	switch (rounding) {
	case TAP_NEAR_EVEN: return half && (rest || (whole & 1));
	case TAP_TOWARDS_ZERO: return false;
	case TAP_DOWN: return negative;
	case TAP_UP: return !negative;
	case TAP_NEAR_AWAY: return half;
	case TAP_TO_ODD: return !(whole & 1);
	}
	return false;
}

s64 tap_float_to_long(u64 a, enum tap_rounding rounding)
{
	const s64 out_of_range = (s64)TAP_FLOAT_SIGN;
	struct parts x;
	u64 whole, halves;
	bool rest = false;

	if (tap_float_is_nan(a) || is_infinite(a))
		return out_of_range;
	x = unpack(a);
	if (x.exponent > 63 - FRACTION_BITS)
		return out_of_range;
	if (x.exponent >= 0) {
		whole = x.significand << x.exponent;
	} else {
		halves = shift_down(x.significand << 1, (u32)-x.exponent, &rest);
		whole = halves >> 1;
		whole += goes_up(rounding, x.negative, whole, halves & 1, rest);
	}
	if (whole > TAP_FLOAT_SIGN - !x.negative)
		return out_of_range;
	return x.negative ? (s64)(0 - whole) : (s64)whole;
}

u64 tap_float_from_single(u32 bits)
{
	u32 biased = bits >> 23 & 0xff, fraction = bits & 0x7fffff;

	if (biased == 0xff)
		return fraction ? TAP_FLOAT_NAN : (bits >> 31 ? TAP_FLOAT_SIGN : 0) | TAP_FLOAT_INFINITY;
	if (!biased)
		return tap_float_make(bits >> 31, -149, fraction, false);
	return tap_float_make(bits >> 31, (s32)biased - 150, fraction | 0x800000, false);
}
