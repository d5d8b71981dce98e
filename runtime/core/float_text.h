/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating point numbers as text. */
#ifndef TAP_CORE_FLOAT_TEXT_H
#define TAP_CORE_FLOAT_TEXT_H

#include "tap_script.h"

enum { TAP_MOST_PRECISION = 100 };
/* As printf's %.*f, exact; "inf", "nan". PRECISION: digits after the point, 0 to TAP_MOST_PRECISION. */
struct tap_string tap_float_text(struct tap_context *c, u64 a, u32 precision);
/* As strtod: blanks, sign, digits with a point, exponent, "inf", "nan"; rounded to nearest. Stops at the first byte
 * that does not belong to the number; 0 if there is no number. */
u64 tap_float_parse(struct tap_context *c, struct tap_string s);

#endif
