/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating point in integer arithmetic, for handlers, which must not touch the FPU. A number is the 64 bits of an
 * IEEE 754 binary64 (a double); results are rounded to nearest, ties to even, as by a CPU. There are no flags and
 * only one NaN. */
#ifndef TAP_CORE_FLOAT_H
#define TAP_CORE_FLOAT_H

#include "tap_script.h"

#define TAP_FLOAT_SIGN 0x8000000000000000ull
#define TAP_FLOAT_INFINITY 0x7ff0000000000000ull
#define TAP_FLOAT_NAN 0x7ff8000000000000ull

static inline bool tap_float_is_nan(u64 a)
{
	return (a & ~TAP_FLOAT_SIGN) > TAP_FLOAT_INFINITY;
}

u64 tap_float_add(u64 a, u64 b);
u64 tap_float_mul(u64 a, u64 b);
u64 tap_float_div(u64 a, u64 b);
/* a - n * b, where n is the integer nearest to a / b, the even one in a tie: C's remainder(). */
u64 tap_float_rem(u64 a, u64 b);
u64 tap_float_sqrt(u64 a);

/* False if either is NaN; -0 equals 0. */
bool tap_float_equal(u64 a, u64 b);
bool tap_float_less(u64 a, u64 b);

enum tap_rounding {
	TAP_NEAR_EVEN, TAP_TOWARDS_ZERO, TAP_DOWN, TAP_UP, TAP_NEAR_AWAY,
	TAP_TO_ODD = 6,			/* a number between two integers becomes the odd one */
};
u64 tap_float_from_long(s64 value);
/* The least s64 for NaN and for values out of range, as on x86. */
s64 tap_float_to_long(u64 a, enum tap_rounding rounding);
u64 tap_float_from_single(u32 bits);	/* the bits of a float */

/* SIGNIFICAND * 2^EXPONENT, rounded; REST: there are more bits, not all 0, below the
 * significand. */
u64 tap_float_make(bool negative, s32 exponent, u64 significand, bool rest);

#endif
