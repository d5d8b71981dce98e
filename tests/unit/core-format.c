/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats: as libc's printf wherever C defines it, for all flags, widths and precisions; the
 * same bytes from values and from a record; SystemTap's documented examples; hostile records. */
#include <stdarg.h>
#include "core-test.h"
#include "core/format.h"

static char out[1 << 17];

static u32 format(const char *text, const union tap_value *args)
{
	return tap_format_values(out, sizeof(out), text, args);
}

/* ---- the same as a record ---- */

static u8 payload[1 << 17];

static u32 encode(const char *text, const union tap_value *args)
{
	struct tap_format_cursor f = { text, (u32)strlen(text), 0 };
	struct tap_directive d;
	u8 *p = payload;

	while (tap_format_next(&f, &d) == TAP_FORMAT_OK) {
		u32 stars = (u32)d.star_width + d.star_precision;

		while (stars--)
			p = tap_put_long(p, args++->n);
		if (d.argument == TAP_ARGUMENT_LONG)
			p = tap_put_long(p, args++->n);
		else if (d.argument != TAP_ARGUMENT_NONE)
			p = tap_put_string(p, args++->s);
	}
	return (u32)(p - payload);
}

static char collected[1 << 18];
static u32 collected_size;

static void collect(struct tap_writer *w)
{
	memcpy(collected + collected_size, w->start, (size_t)(w->at - w->start));
	collected_size += (u32)(w->at - w->start);
	w->at = w->start;
}

static char collected_parsed[1 << 18];

/* The same bytes with the format parsed before, and refused if and only if the other way refuses it. */
static void check_parsed(const char *text, const u8 *data, u32 size, u32 chunk, bool expected)
{
	static char buffer[4096];
	struct tap_writer w = { buffer, buffer, buffer + chunk, collect };
	struct tap_directive directives[64];
	u32 before = collected_size, length = (u32)strlen(text);
	struct tap_format_parsed f;
	bool good;

	if (tap_format_count(text, length) > 64)
		fail(__FILE__, __LINE__, "'%s' has too many directives for this test", text);
	f = tap_format_parse(text, length, directives);
	memcpy(collected_parsed, collected, before);
	collected_size = 0;
	good = tap_format_record_parsed(&w, &f, data, size);
	tap_write_end(&w);
	if (good != expected || collected_size != before || memcmp(collected, collected_parsed, before))
		fail(__FILE__, __LINE__, "parsed record of '%s': '%.*s', not '%.*s'", text, (int)collected_size,
		     collected, (int)before, collected_parsed);
	if (tap_format_record_parsed(NULL, &f, data, size) != expected)
		fail(__FILE__, __LINE__, "parsed record of '%s' without output", text);
}

static bool record(const char *text, const u8 *data, u32 size, u32 chunk)
{
	static char buffer[4096];
	struct tap_writer w = { buffer, buffer, buffer + chunk, collect };
	bool good;

	collected_size = 0;
	good = tap_format_record(&w, text, (u32)strlen(text), data, size);
	tap_write_end(&w);
	check_parsed(text, data, size, chunk, good);
	return good;
}

static void check_record(const char *text, const union tap_value *args)
{
	u32 n = format(text, args);
	u32 size = encode(text, args);
	u32 cut;
	static const u32 chunks[] = { 1, 7, 4096 };

	for (cut = 0; cut < 3; cut++) {
		if (!record(text, payload, size, chunks[cut]))
			fail(__FILE__, __LINE__, "record of '%s' refused", text);
		else if (collected_size != n || memcmp(collected, out, n))
			fail(__FILE__, __LINE__, "record of '%s': '%.*s', not '%s'", text,
			     (int)collected_size, collected, out);
	}
	for (cut = 0; cut < size; cut += 1 + cut / 16)
		if (record(text, payload, cut, 4096) || collected_size)
			fail(__FILE__, __LINE__, "record of '%s' cut to %u of %u bytes", text, cut, size);
	payload[size] = 0;
	if (record(text, payload, size + 1, 4096))
		fail(__FILE__, __LINE__, "record of '%s' with a byte too many", text);
}

/* ---- against libc ---- */

static void against_libc(void)
{
	static const char conversions[] = "diuxXo";
	static const char *widths[] = { "", "1", "5", "12", "30" };
	static const char *precisions[] = { "", ".", ".0", ".1", ".5", ".23" };
	static const s64 values[] = {
		0, 1, -1, 7, 8, 42, -42, 12345, -12345, 1ll << 31, 1ll << 32,
		(s64)(~0ull >> 1), (s64)(1ull << 63),
	};
	char ours[64], theirs[64], wanted[256];
	u32 flags, w, p, c, v;

	for (flags = 0; flags < 32; flags++)
	for (w = 0; w < 5; w++)
	for (p = 0; p < 6; p++)
	for (c = 0; conversions[c]; c++)
	for (v = 0; v < sizeof(values) / sizeof(*values); v++) {
		char f[8];
		int n = 0;
		union tap_value arg = { values[v] };

		if (flags & 1) f[n++] = '-';
		if (flags & 2) f[n++] = '0';
		if (flags & 4) f[n++] = '+';
		if (flags & 8) f[n++] = ' ';
		if (flags & 16) f[n++] = '#';
		f[n] = 0;
		snprintf(ours, sizeof(ours), "<%%%s%s%s%c>", f, widths[w], precisions[p], conversions[c]);
		/* a precision of 0 shows a zero, as C does with a precision of 1 */
		snprintf(theirs, sizeof(theirs), "<%%%s%s%sll%c>", f, widths[w],
			 !values[v] && (p == 1 || p == 2) ? ".1" : precisions[p], conversions[c]);
		snprintf(wanted, sizeof(wanted), theirs, values[v]);
		format(ours, &arg);
		/* unlike in C, '#' also marks zero */
		if (strcmp(out, wanted) && !(flags & 16 && !values[v] && strchr("xXo", conversions[c])))
			fail(__FILE__, __LINE__, "%s of %lld: '%s', not '%s'", ours, values[v], out, wanted);
		if (v % 4 == flags % 4)
			check_record(ours, &arg);
	}
}

static void strings_against_libc(void)
{
	static const char *flags[] = { "", "-" };
	static const char *widths[] = { "", "1", "5", "20" };
	static const char *precisions[] = { "", ".", ".3", ".30" };
	static const char *values[] = { "", "a", "hello", "hello, world" };
	char text[64], wanted[256];
	u32 f, w, p, v;

	for (f = 0; f < 2; f++)
	for (w = 0; w < 4; w++)
	for (p = 0; p < 4; p++)
	for (v = 0; v < 4; v++) {
		union tap_value arg = { .s = text_of(values[v]) };

		snprintf(text, sizeof(text), "<%%%s%s%ss>", flags[f], widths[w], precisions[p]);
		snprintf(wanted, sizeof(wanted), text, values[v]);
		format(text, &arg);
		if (strcmp(out, wanted))
			fail(__FILE__, __LINE__, "%s: '%s', not '%s'", text, out, wanted);
		check_record(text, &arg);
	}
}

static void stars_against_libc(void)
{
	int w, p;
	char wanted[256];

	for (w = -12; w <= 12; w++)
	for (p = -2; p <= 12; p++) {
		union tap_value args[] = { { w }, { p }, { -321 }, { w }, { .s = TAP_STRING("word") } };

		snprintf(wanted, sizeof(wanted), "<%*.*lld|%*s>", w, p, -321ll, w, "word");
		format("<%*.*d|%*s>", args);
		if (strcmp(out, wanted))
			fail(__FILE__, __LINE__, "%d.%d: '%s', not '%s'", w, p, out, wanted);
		check_record("<%*.*d|%*s>", args);
	}
}

/* ---- SystemTap's extensions ---- */

#define FORMAT(wanted, text, ...) do { \
	union tap_value a_[] = { __VA_ARGS__ }; \
	u32 n_ = format(text, a_); \
	if (n_ != sizeof(wanted) - 1 || memcmp(out, wanted, n_)) \
		fail(__FILE__, __LINE__, "%s: '%s', not '%s'", text, out, wanted); \
	check_record(text, a_); } while (0)
#define N(value) { .n = (value) }
#define S(literal) { .s = TAP_STRING(literal) }

static void documented(void)
{
	FORMAT("a is alice; 1234abcd or 1234ABCD or 0x1234abcd; -1 or 18446744073709551615\n",
	       "%c is %s; %x or %X or %p; %d or %u\n",
	       N(97), S("alice"), N(0x1234abcd), N(0x1234abcd), N(0x1234abcd), N(-1), N(-1));
	FORMAT("01 0x2 0X3\n", "%#o %#x %#X\n", N(1), N(2), N(3));
	FORMAT("\\000 \\t *\n", "%#c %#c %#c\n", N(0), N(9), N(42));
	FORMAT("\\\\ \\", "%#c %c", N(92), N(92));
	FORMAT("\xcd\xab\x34\x12", "%4b", N(0x1234abcd));
	FORMAT("\xad\xdb\xde\xc0\0\0\0\0\x78\x56\x34\x12\0\0\0\0", "%b%b", N(0xc0dedbad), N(0x12345678));
	FORMAT("Hello World\n", "%1b%1b%1blo %1b%1brld\n", N(72), N(101), N(108), N(87), N(111));
	FORMAT(" 97: aA!\n", "%3d: %1b%1b%1b\n", N(97), N(97), N(65), N(33));
	FORMAT("      abcd", "%10.4m", S("abcd"));
	FORMAT("  61620063", "%10.4M", S("ab\0c"));
	FORMAT("6162", "%.*M", N(2), S("ab"));
	FORMAT("62", "%M", S("b"));
	FORMAT("b", "%m", S("bcd"));
	FORMAT("626300  |", "%#-8.3M|", S("bc\0"));
}

static void further(void)
{
	FORMAT("0x0|  0x0|0x0  |0x00", "%p|%5p|%-5p|%.2p", N(0), N(0), N(0), N(0));
	FORMAT("0xffffffffffffffff 0x000000ab", "%p %010p", N(-1), N(0xab));
	FORMAT("0x0 00 0X0 00000", "%#x %#o %#X %#.5o", N(0), N(0), N(0), N(0));
	FORMAT("\0|  x|x  |x", "%c|%3c|%-3c|%lc", N(0), N('x'), N('x'), N('x' + 256));
	FORMAT("\\a\\b\\n\\v\\f\\r\\033\\177\\377\\\\\"", "%#c%#c%#c%#c%#c%#c%#c%#c%#c%#c%#c", N(7), N(8),
	       N(10), N(11), N(12), N(13), N(27), N(127), N(255), N('\\'), N('"'));
	FORMAT("  \\n|", "%#4c|", N('\n'));
	FORMAT("100%", "%d%%", N(100));
	FORMAT("a\0b", "%s", S("a\0b"));
	FORMAT("-1 -1 -1 -1", "%ld %lld %hd %hhi", N(-1), N(-1), N(-1), N(-1));
	FORMAT("\x01|\x01\x02|\x08\x07\x06\x05\x04\x03\x02\x01", "%1b|%2b|%8b", N(0x7701), N(0x770201),
	       N(0x0102030405060708));
	FORMAT("", "", N(0));
}

static void reasons(void)
{
	static const struct { const char *text; enum tap_format_reason reason; u32 position, size; } bad[] = {
		{ "ab%", TAP_FORMAT_UNFINISHED, 2, 1 },
		{ "ab%-08.*ll", TAP_FORMAT_UNFINISHED, 2, 8 },
		{ "%d%k", TAP_FORMAT_UNKNOWN, 2, 2 },
		{ "%n", TAP_FORMAT_UNKNOWN, 0, 2 },
		{ "%f", TAP_FORMAT_UNKNOWN, 0, 2 },
		{ "%65536d", TAP_FORMAT_TOO_WIDE, 0, 7 },
		{ "%99999999999999999999d", TAP_FORMAT_TOO_WIDE, 0, 22 },
		{ "%.65536s", TAP_FORMAT_TOO_WIDE, 0, 8 },
		{ "%3b", TAP_FORMAT_BINARY_WIDTH, 0, 3 },
		{ "%*b", TAP_FORMAT_BINARY_WIDTH, 0, 3 },
		{ "%.2b", TAP_FORMAT_BINARY_WIDTH, 0, 4 },
		{ "%-4b", TAP_FORMAT_FLAGS, 0, 4 },
		{ "%5%", TAP_FORMAT_FLAGS, 0, 3 },
	};
	struct tap_directive d;
	u32 i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct tap_format_cursor f = { bad[i].text, (u32)strlen(bad[i].text), 0 };
		enum tap_format_reason reason;

		while ((reason = tap_format_next(&f, &d)) == TAP_FORMAT_OK)
			;
		if (reason != bad[i].reason || d.position != bad[i].position || d.size != bad[i].size)
			fail(__FILE__, __LINE__, "'%s': %d at %u+%u", bad[i].text, reason, d.position, d.size);
		CHECK(strcmp(tap_format_reason_text(reason), "no error"));
		CHECK(!record(bad[i].text, payload, 0, 4096));
	}
}

static void directives(void)
{
	struct tap_format_cursor f = { "x%-*.*s%%%#m", 12, 0 };
	struct tap_directive d;

	CHECK(tap_format_next(&f, &d) == TAP_FORMAT_OK && !d.conversion && d.position == 0 && d.size == 1);
	CHECK(tap_format_next(&f, &d) == TAP_FORMAT_OK && d.conversion == 's' && d.star_width &&
	      d.star_precision && d.flags == TAP_FORMAT_MINUS && d.argument == TAP_ARGUMENT_STRING &&
	      tap_directive_values(&d) == 3 && d.position == 1 && d.size == 6);
	CHECK(tap_format_next(&f, &d) == TAP_FORMAT_OK && !d.conversion && d.position == 8 && d.size == 1);
	CHECK(tap_format_next(&f, &d) == TAP_FORMAT_OK && d.conversion == 'm' &&
	      d.flags == TAP_FORMAT_ALTERNATE && d.argument == TAP_ARGUMENT_MEMORY);
	CHECK(tap_format_next(&f, &d) == TAP_FORMAT_END);
}

static void cutting(void)
{
	union tap_value args[] = { N(-12345), S("hello") };
	char small[32], whole[] = "<-12345|     hello>";
	u32 room;

	for (room = 1; room <= sizeof(whole) + 1; room++) {
		u32 n;

		memset(small, 'Z', sizeof(small));
		n = tap_format_values(small, room, "<%d|%10s>", args);
		CHECK_LONG(n, room - 1 < strlen(whole) ? room - 1 : strlen(whole));
		CHECK(!memcmp(small, whole, n) && small[n] == 0 && small[room] == 'Z');
	}
}

/* Random conversions, flags and values: both ways give the same bytes. */
static void both_ways(void)
{
	static const char conversions[] = "diuxXopcsmM";
	static const char *lengths[] = { "", "", "", "h", "hh", "l", "ll" };
	char text[256], data[64];
	u32 round;

	for (round = 0; round < 200000; round++) {
		union tap_value args[24];
		u32 n = 0, size = 0, i, count = (u32)random_below(4) + 1;

		for (i = 0; i < count; i++) {
			char c = conversions[random_below(sizeof(conversions) - 1)];
			u32 k = (u32)random_below(3);

			size += (u32)sprintf(text + size, "%s", random_below(2) ? "t" : random_below(2) ? "%%" : "");
			if (!random_below(10)) {
				size += (u32)sprintf(text + size, "%%%sb",
						     (const char *[]){ "", "1", "2", "4", "8" }[random_below(5)]);
				args[n++].n = random_long();
				continue;
			}
			text[size++] = '%';
			while (k--)
				text[size++] = "-0+ #"[random_below(5)];
			if (random_below(4) == 0) {
				text[size++] = '*';
				args[n++].n = (s64)random_below(60) - 30;
			} else if (random_below(2)) {
				size += (u32)sprintf(text + size, "%u", (u32)random_below(40));
			}
			if (random_below(4) == 0) {
				text[size++] = '.';
				text[size++] = '*';
				args[n++].n = (s64)random_below(60) - 20;
			} else if (random_below(3) == 0) {
				size += (u32)sprintf(text + size, ".%u", (u32)random_below(40));
			}
			size += (u32)sprintf(text + size, "%s%c", lengths[random_below(7)], c);
			if (strchr("smM", c)) {
				static char strings[8][64];
				u32 length = (u32)random_below(40), j;

				for (j = 0; j < length; j++)
					data[j] = (char)random_next();
				memcpy(strings[n % 8], data, length);
				args[n].s = (struct tap_string){ strings[n % 8], length };
				n++;
			} else {
				args[n++].n = random_long();
			}
		}
		text[size] = 0;
		check_record(text, args);
		if (failures)
			return;
	}
}

static u32 arguments(const char *text, ...)
{
	va_list args;
	u32 n;

	va_start(args, text);
	n = tap_format_arguments(out, 64, text, args);
	va_end(args);
	return n;
}

static void c_arguments(void)
{
	arguments("%s: %lld %llu %llx %u %d %x", "x", -1ll, -1ll, 255ll, -1, -2, -1);
	CHECK(!strcmp(out, "x: -1 18446744073709551615 ff 4294967295 -2 ffffffff"));
	CHECK_LONG(arguments("%s", (char *)NULL), 6);
	CHECK_LONG(arguments("%*d|%-5s|%%", 4, 7, "ab"), 12);
	CHECK(!strcmp(out, "   7|ab   |%"));
}

int main(void)
{
	against_libc();
	strings_against_libc();
	stars_against_libc();
	documented();
	further();
	reasons();
	directives();
	cutting();
	both_ways();
	c_arguments();
	return report("core-format");
}
