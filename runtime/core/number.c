/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Division as the script sees it: never a trap. */
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
