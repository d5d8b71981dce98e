/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: results, limits, the documented behaviour of the tapset's functions, division of
 * numbers. */
#include "core-test.h"
#include "core/names.h"
#include "core/string.h"

static struct tap_context *c;

static void copies(void)
{
	char buffer[512];
	struct tap_string s;
	char *mark;

	CHECK_TEXT(tap_concat(c, text_of("foo"), text_of("bar")), "foobar");
	CHECK_TEXT(tap_concat(c, text_of(""), text_of("bar")), "bar");
	CHECK_TEXT(tap_concat(c, text_of("foo"), TAP_EMPTY), "foo");
	CHECK_TEXT(tap_string_store(buffer, text_of("stored")), "stored");
	s = tap_string_store(buffer, (struct tap_string){ buffer + 2, 4 });
	CHECK_TEXT(s, "ored");
	mark = c->scratch;
	CHECK_TEXT(tap_string_hold(c, s), "ored");
	CHECK(((unsigned long)c->scratch & 15) == 0 && c->scratch == mark + 16);
	CHECK_LONG(tap_concat(c, (struct tap_string){ "a\0b", 3 }, text_of("c")).size, 4);
}

/* All sizes that copying distinguishes, between guard bytes that must not change. */
static void joining(void)
{
	char from[64], to[64], text[TAP_MOST_DIGITS];
	struct tap_string s;

	for (u32 size = 0; size <= 40; size++) {
		for (u32 i = 0; i < sizeof(from); i++)
			from[i] = (char)('A' + i);
		memset(to, '.', sizeof(to));
		tap_copy(to + 8, from, size);
		CHECK(!memcmp(to + 8, from, size) && to[7] == '.' && to[8 + size] == '.');
		tap_copy(from + 1, from, size);		/* they may overlap */
		CHECK(!size || (from[1] == 'A' && from[size] == 'A' + (char)size - 1));
	}
	CHECK_TEXT(tap_join(c, (const struct tap_string[]){ text_of("a"), TAP_EMPTY, text_of("bcd"),
							    tap_decimal(text, -12) }, 4), "abcd-12");
	CHECK_TEXT(tap_join(c, NULL, 0), "");
	s = tap_decimal(text, (s64)((u64)1 << 63));
	CHECK(s.data == text && s.size == 20 && !memcmp(text, "-9223372036854775808", 20));
	CHECK_TEXT(tap_join(c, (const struct tap_string[]){ tap_decimal(text, 0) }, 1), "0");
}

static void limits(void)
{
	static char big[600];
	struct tap_string s = { big, 511 }, t;
	struct tap_string_cell *cell = malloc(sizeof(*cell) + 512);

	memset(big, 'x', sizeof(big));
	t = tap_concat(c, s, text_of("yz"));
	CHECK(t.size == 511 && t.data[511] == 0 && t.data[510] == 'x');
	t = tap_join(c, (const struct tap_string[]){ text_of("1"), s, text_of("yz") }, 3);
	CHECK(t.size == 511 && t.data[511] == 0 && t.data[0] == '1' && t.data[510] == 'x');
	s.size = 510;
	t = tap_concat(c, s, text_of("yz"));
	CHECK(t.size == 511 && t.data[510] == 'y');
	s.size = 600;
	tap_cell_set(cell, s);
	CHECK(cell->size == 511 && cell->data[511] == 0);
	CHECK(tap_cell_get(cell).data == cell->data);
	free(cell);
	c->scratch = c->scratch_end - 16;
	CHECK_TEXT(tap_concat(c, text_of("0123456789"), text_of("abcdefgh")), "");
	CHECK(c->error && !strcmp(c->error, "no scratch"));
	c = host_context();
}

static void comparing(void)
{
	CHECK(tap_string_compare(text_of("a"), text_of("b")) < 0);
	CHECK(tap_string_compare(text_of("b"), text_of("abc")) > 0);
	CHECK(tap_string_compare(text_of("ab"), text_of("abc")) < 0);
	CHECK(tap_string_compare(text_of("abc"), text_of("ab")) > 0);
	CHECK(tap_string_compare(text_of("\x80"), text_of("a")) > 0);
	CHECK(tap_string_compare(text_of("abc"), text_of("abc")) == 0);
	CHECK(tap_string_equal(TAP_EMPTY, text_of("")));
}

static void searching(void)
{
	CHECK_TEXT(tap_substr(c, text_of("hello"), 1, 3), "ell");
	CHECK_TEXT(tap_substr(c, text_of("hello"), 1, 99), "ello");
	CHECK_TEXT(tap_substr(c, text_of("hello"), 5, 1), "");
	CHECK_TEXT(tap_substr(c, text_of("hello"), -1, 3), "");
	CHECK_TEXT(tap_substr(c, text_of("hello"), 0, 0), "");
	CHECK_TEXT(tap_substr(c, text_of("hello"), 0, (s64)(~0ull >> 1)), "hello");
	CHECK_LONG(tap_strpos(text_of("hello"), text_of("l")), 2);
	CHECK_LONG(tap_strpos(text_of("hello"), text_of("lo")), 3);
	CHECK_LONG(tap_strpos(text_of("hello"), text_of("lox")), -1);
	CHECK_LONG(tap_strpos(text_of("hello"), TAP_EMPTY), 0);
	CHECK_LONG(tap_strpos(TAP_EMPTY, text_of("a")), -1);
	CHECK_LONG(tap_stringat(c, text_of("hello"), 1), 'e');
	CHECK_LONG(tap_stringat(c, text_of("hello"), 4), 'o');
	CHECK_LONG(tap_stringat(c, text_of("\xff"), 0), 255);
	CHECK(!c->error);
	tap_stringat(c, text_of("hello"), -1);
	CHECK(c->error && strstr(c->error, "-1"));
	c = host_context();
	tap_stringat(c, text_of("hello"), 5);
	CHECK(c->error != NULL);
	c = host_context();
}

static void replacing(void)
{
	CHECK_TEXT(tap_str_replace(c, text_of("hello"), text_of("l"), text_of("LL")), "heLLLLo");
	CHECK_TEXT(tap_str_replace(c, text_of("hello"), text_of("llo"), text_of("")), "he");
	CHECK_TEXT(tap_str_replace(c, text_of("aaa"), text_of("aa"), text_of("b")), "ba");
	CHECK_TEXT(tap_str_replace(c, text_of("hello"), text_of("x"), text_of("y")), "hello");
	CHECK_TEXT(tap_str_replace(c, text_of("hello"), text_of(""), text_of("y")), "hello");
	CHECK_TEXT(tap_str_replace(c, text_of("hello"), text_of("hello"), text_of("")), "");
	CHECK_TEXT(tap_toupper(c, text_of("az{AZ19\xe4")), "AZ{AZ19\xe4");
	CHECK_TEXT(tap_tolower(c, text_of("az@[AZ19")), "az@[az19");
	host_limits->string = 9;
	CHECK_TEXT(tap_str_replace(c, text_of("abcabc"), text_of("b"), text_of("123")), "a123ca12");
	host_limits->string = 512;
}

static void escaping(void)
{
	CHECK_TEXT(tap_text(c, text_of("a\tb\n\"\\\x01\xff"), 0, false), "a\\tb\\n\\\"\\\\\\001\\377");
	CHECK_TEXT(tap_text(c, text_of("plain"), 0, true), "\"plain\"");
	CHECK_TEXT(tap_text(c, text_of("0123456789"), 8, true), "\"012\"...");
	CHECK_TEXT(tap_text(c, text_of("0123456789"), 12, true), "\"0123456789\"");
	CHECK_TEXT(tap_text(c, text_of("0123456789"), 11, true), "\"012345\"...");
	CHECK_TEXT(tap_text(c, text_of("ab\n"), 3, false), "ab");
	CHECK_TEXT(tap_text(c, text_of("ab\n"), 4, true), "\"\"...");
	CHECK_TEXT(tap_text(c, text_of(""), 0, true), "\"\"");
	CHECK_TEXT(tap_text(c, text_of("abc"), 1, true), "\"abc\"");
	CHECK_TEXT(tap_text(c, text_of("\xc3\xa9\xe2\x82\xac"), 11, false), "\\u00E9");
	CHECK_TEXT(tap_text(c, text_of("\xf0\x9f\x98\x80\xf0\x9f\x98"), 0, false), "\\U0001F600\\360\\237\\230");
	CHECK_TEXT(tap_text(c, text_of("\xc0\x80\xed\xa0\x80"), 0, false), "\\300\\200\\355\\240\\200");
}

static void tokens(void)
{
	struct tap_string s = text_of("/usr//bin/x");
	u32 at = 0, start, size;

	CHECK(tap_token(s, text_of("/"), &at, &start, &size));
	CHECK_TEXT(tap_slice(c, s, start, size), "usr");
	CHECK(tap_token(s, text_of("/"), &at, &start, &size));
	CHECK_TEXT(tap_slice(c, s, start, size), "bin");
	CHECK(tap_token(s, text_of("/"), &at, &start, &size));
	CHECK_TEXT(tap_slice(c, s, start, size), "x");
	CHECK(!tap_token(s, text_of("/"), &at, &start, &size));
	at = 0;
	CHECK(tap_token(s, text_of(""), &at, &start, &size) && size == s.size);
	at = 0;
	CHECK(tap_token(text_of("a\xe4""b"), text_of("\xe4"), &at, &start, &size) && size == 1 && at == 2);
}

static void numbers(void)
{
	s64 least = (s64)(1ull << 63), most = (s64)(~0ull >> 1);
	static const char *texts[] = {
		"0", "12", "-12", " \t+7x", "0x1f", "0X1F", "0x", "0xg", "017", "08", "zz", "-zz", "",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "99999999999999999999", "1010", "- 1", "--1", "0x8000000000000000",
	};
	u32 i;
	int base;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (base = 0; base <= 36; base += base ? 1 : 2) {
			long long n = strchr(texts[i], '-') ? strtoll(texts[i], NULL, base) :
							      (long long)strtoull(texts[i], NULL, base);

			if (tap_strtol(text_of(texts[i]), base) != n)
				fail(__FILE__, __LINE__, "strtol('%s', %d) is %lld", texts[i], base,
				     tap_strtol(text_of(texts[i]), base));
		}
	CHECK_LONG(tap_strtol(text_of("1"), 37), 0);
	CHECK_LONG(tap_strtol(text_of("1"), 1), 0);
	CHECK_LONG(tap_strtol(text_of("1"), -8), 0);

	CHECK_LONG(tap_div(c, least, -1), least);
	CHECK_LONG(tap_mod(c, least, -1), 0);
	CHECK_LONG(tap_div(c, -7, 2), -3);
	CHECK_LONG(tap_mod(c, -7, 2), -1);
	CHECK_LONG(tap_div(c, most, 1), most);
	CHECK(!c->error);
	CHECK_LONG(tap_div(c, 1, 0), 0);
	CHECK(c->error && !strcmp(c->error, "division by 0"));
	c = host_context();
	CHECK_LONG(tap_mod(c, 1, 0), 0);
	CHECK(c->error);
	c = host_context();
}

static void formatting(void)
{
	union tap_value args[] = { { 5 }, { .s = TAP_STRING("five") } };
	char *mark = c->scratch;

	CHECK_TEXT(tap_sprintf(c, "%d is %s", args), "5 is five");
	CHECK(c->scratch == mark + 16);
	host_limits->string = 6;
	CHECK_TEXT(tap_sprintf(c, "%d is %s", args), "5 is ");
	host_limits->string = 512;
}

static void names(void)
{
	static const struct tap_name table[] = { { 0, "NONE" }, { 3, "BOTH" }, { 1, "ONE" }, { 2, "TWO" },
						 { 8, "EIGHT" }, TAP_NAMES_END };
	u64 value = 77;

	CHECK_TEXT(tap_name(table, 2), "TWO");
	CHECK_TEXT(tap_name(table, 4), "");
	CHECK(tap_name_value(table, text_of("EIGHT"), &value) && value == 8);
	CHECK(!tap_name_value(table, text_of("EIGH"), &value) && !tap_name_value(table, text_of("EIGHTH"), &value));
	CHECK(!tap_name_value(table, TAP_EMPTY, &value) && value == 8);
	CHECK_TEXT(tap_flags(c, table, 0), "NONE");
	CHECK_TEXT(tap_flags(c, table + 1, 0), "0");
	CHECK_TEXT(tap_flags(c, table, 9), "ONE|EIGHT");
	CHECK_TEXT(tap_flags(c, table, 3), "BOTH");
	CHECK_TEXT(tap_flags(c, table, 0x8000000000000012), "TWO|0x8000000000000010");
	CHECK_TEXT(tap_flags(c, table, 0x10), "0x10");
	host_limits->string = 8;
	CHECK_TEXT(tap_flags(c, table, 11), "BOTH");
	CHECK_TEXT(tap_flags(c, table, 0x13), "BOTH|0x");
	host_limits->string = 512;
}

int main(void)
{
	c = host_context();
	copies();
	joining();
	limits();
	comparing();
	searching();
	replacing();
	escaping();
	tokens();
	numbers();
	formatting();
	names();
	return report("core-string");
}
