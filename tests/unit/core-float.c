/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating point in integer arithmetic gives the same bits as this machine's FPU and C library. */
#include <math.h>
#include "core-test.h"
#include "core/float.h"
#include "core/float_text.h"

static struct tap_context *c;

static u64 bits_of(double d)
{
	u64 bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static double double_of(u64 bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

/* All kinds: random bits, close to each other, special values, near the subnormal range,
 * integers. */
static u64 some_double(void)
{
	static const u64 special[] = {
		0, 1, 0xfffffffffffffull, 0x10000000000000ull, 0x3ff0000000000000ull, 0x3fefffffffffffffull,
		0x7fefffffffffffffull, TAP_FLOAT_INFINITY, TAP_FLOAT_NAN, 0x43e0000000000000ull,
		0x4330000000000000ull, 0x4340000000000000ull, 0x7ff0000000000001ull, 0x3fe0000000000000ull,
	};
	u64 sign = random_next() & TAP_FLOAT_SIGN;

	switch (random_below(6)) {
	case 0: return sign | special[random_below(sizeof(special) / sizeof(special[0]))];
	case 1: return sign | (0x3fe0000000000000ull + (random_below(80) << 52) + random_below(1ull << 52));
	case 2: return sign | random_below(3ull << 52);
	case 3: return bits_of((double)random_long());
	case 4: return sign | (0x3ff0000000000000ull + (random_below(70) << 52) + (random_below(16) << 48));
	}
	return random_next();
}

static void same(const char *what, u64 a, u64 b, u64 mine, double wanted)
{
	if (isnan(wanted) ? !tap_float_is_nan(mine) : mine != bits_of(wanted))
		fail(__FILE__, __LINE__, "%s of %a and %a is %a, not %a", what, double_of(a), double_of(b),
		     double_of(mine), wanted);
}

/* glibc 2.36 returns some zeroes with the wrong sign; IEEE 754 requires the first operand's. */
static double remainder_of(double x, double y)
{
	double rest = remainder(x, y);

	return rest == 0 ? copysign(0, x) : rest;
}

static void arithmetic(u64 a, u64 b)
{
	double x = double_of(a), y = double_of(b);

	same("the sum", a, b, tap_float_add(a, b), x + y);
	same("the product", a, b, tap_float_mul(a, b), x * y);
	same("the quotient", a, b, tap_float_div(a, b), x / y);
	same("the remainder", a, b, tap_float_rem(a, b), remainder_of(x, y));
	same("the root", a, a, tap_float_sqrt(a), sqrt(x));
	CHECK(tap_float_equal(a, b) == (x == y));
	CHECK(tap_float_less(a, b) == (x < y));
}

static s64 in_range(double d)
{
	return d >= -0x1p63 && d < 0x1p63 ? (s64)d : (s64)TAP_FLOAT_SIGN;
}

static s64 to_odd(double d)
{
	s64 whole = in_range(trunc(d));

	if (isnan(d) || trunc(d) == d || (whole & 1))
		return whole;
	return whole + (d < 0 ? -1 : 1);
}

static void integers(u64 a)
{
	double x = double_of(a);
	s64 n = random_long();
	u32 single = (u32)random_next();
	float f;

	CHECK_LONG(tap_float_to_long(a, TAP_NEAR_EVEN), in_range(nearbyint(x)));
	CHECK_LONG(tap_float_to_long(a, TAP_TOWARDS_ZERO), in_range(trunc(x)));
	CHECK_LONG(tap_float_to_long(a, TAP_DOWN), in_range(floor(x)));
	CHECK_LONG(tap_float_to_long(a, TAP_UP), in_range(ceil(x)));
	CHECK_LONG(tap_float_to_long(a, TAP_NEAR_AWAY), in_range(round(x)));
	CHECK_LONG(tap_float_to_long(a, TAP_TO_ODD), to_odd(x));
	same("the integer", (u64)n, 0, tap_float_from_long(n), (double)n);
	memcpy(&f, &single, sizeof(f));
	same("the single", single, 0, tap_float_from_single(single), (double)f);
}

static void text_is(struct tap_string s, const char *format, u32 precision, double wanted)
{
	char text[512];

	snprintf(text, sizeof(text), format, (int)precision, wanted);
	if (strcmp(text, "-nan") == 0)
		strcpy(text, "nan");
	CHECK_TEXT(s, text);
}

static void texts(u64 a)
{
	char *mark = c->scratch, text[1200];
	u32 precision = (u32)random_below(TAP_MOST_PRECISION + 1);
	double x = double_of(a);

	text_is(tap_float_text(c, a, precision), "%.*f", precision, x);
	c->scratch = mark;
	snprintf(text, sizeof(text), random_below(2) ? "%.*g" : "%.*e", (int)random_below(25), x);
	same(text, a, 0, tap_float_parse(c, text_of(text)), strtod(text, NULL));
	CHECK(c->scratch == mark);
}

/* The middle between two neighbours, with all its digits, and values slightly above and below. */
static void middles(u64 a)
{
	long double middle;
	char text[2000];

	a &= ~TAP_FLOAT_SIGN;
	if (a >= TAP_FLOAT_INFINITY - 1)
		return;
	middle = ((long double)double_of(a) + double_of(a + 1)) / 2;
	snprintf(text, sizeof(text), "%.1100Lf", middle);
	same(text, a, 0, tap_float_parse(c, text_of(text)), strtod(text, NULL));
	strcat(text, "1");
	same(text, a, 0, tap_float_parse(c, text_of(text)), strtod(text, NULL));
}

static void written(void)
{
	static const char *const texts[] = {
		"3.14", " -2.5e3x", "+.5", "5.", ".", "", "-", "e5", "1e", "1e+", "0x10", "1e400", "-1e-400",
		"INFINITY", "-inf",
		"nan", "0000000.0000000001e10", "1e99999999999", "0e99999999999", "4.9e-324", "2.4703282e-324",
		"2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308", "9007199254740993",
		"1.2.3",
	};

	for (u32 i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		same(texts[i], 0, 0, tap_float_parse(c, text_of(texts[i])),
		     strcmp(texts[i], "0x10") ? strtod(texts[i], NULL) : 0);
	CHECK_TEXT(tap_float_text(c, bits_of(0.5), 0), "0");
	CHECK_TEXT(tap_float_text(c, bits_of(1.5), 0), "2");
	CHECK_TEXT(tap_float_text(c, bits_of(-999.996), 2), "-1000.00");
	c->scratch = c->scratch_end - 16;
	CHECK_TEXT(tap_float_text(c, 0, 0), "");
	CHECK(c->error != NULL);
}

int main(void)
{
	c = host_context();
	random_start(2019);
	for (u32 i = 0; i < 200000; i++)
		arithmetic(some_double(), some_double());
	for (u32 i = 0; i < 50000; i++)
		integers(some_double());
	for (u32 i = 0; i < 10000; i++) {
		texts(some_double());
		middles(some_double());
	}
	written();
	return report("core-float");
}
