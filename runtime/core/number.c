/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Division as the script sees it, which never traps; numbers as text. */
#include "tap_script.h"

s64 tap_div(struct tap_context *c, s64 a, s64 b)
{
	if (tap_unlikely(b == 0)) {
		tap_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? tap_neg(a) : a / b;
}

s64 tap_mod(struct tap_context *c, s64 a, s64 b)
{
	if (tap_unlikely(b == 0)) {
		tap_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

struct tap_string tap_decimal(char text[TAP_MOST_DIGITS], s64 value)
{
	u64 n = value < 0 ? 0 - (u64)value : (u64)value, rest;
	char *end = text + TAP_MOST_DIGITS, *p = end;

	do {
		rest = n / 10;
		*--p = (char)('0' + (n - rest * 10));
		n = rest;
	} while (n);
	if (value < 0)
		*--p = '-';
	return (struct tap_string){ p, (u32)(end - p) };
}
