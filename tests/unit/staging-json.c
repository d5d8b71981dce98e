// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON members and escapes, and text that is not UTF-8, byte for byte. */
#include "common/json.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/output.h"

static int failures;
static struct output o;

static void is(const char *wanted)
{
	size_t size = output_pending(&o);

	if (size != strlen(wanted) || memcmp(o.data + o.start, wanted, size)) {
		printf("%.*s is not %s", (int)size, o.data + o.start, wanted);
		failures++;
	}
	o.start = o.end = 0;
}

static void text(const char *bytes, size_t size, const char *wanted)
{
	json_text(&o, NULL, bytes, size);
	is(wanted);
	o.json_first = true;
}

int main(void)
{
	char all[5000];

	output_open(&o, STDOUT_FILENO);
	json_begin(&o, "t");
	json_number(&o, "n", INT64_MIN);
	json_unsigned(&o, "u", UINT64_MAX);
	json_switch(&o, "s", true);
	json_time(&o, "at", 1500000001);
	json_open(&o, "l", '[');
	json_number(&o, NULL, 1);
	json_open(&o, NULL, '{');
	json_text(&o, "k", "v", 1);
	json_close(&o, '}');
	json_close(&o, ']');
	json_open(&o, "e", '[');
	json_close(&o, ']');
	json_end(&o);
	is("{\"type\":\"t\",\"n\":-9223372036854775808,\"u\":18446744073709551615,\"s\":true,"
	   "\"at\":1.500000001,\"l\":[1,{\"k\":\"v\"}],\"e\":[]}\n");
	o.json_first = true;
	text("a\"\\\b\f\n\r\t\001\177\0b", 12, "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u007f\\u0000b\"");
	text("\303\244\342\202\254\360\237\230\200", 9, "\"\303\244\342\202\254\360\237\230\200\"");
	/* a lone byte, truncated, overlong, surrogate, beyond the last code point */
	text("\200x\303", 3, "\"\\ufffdx\\ufffd\"");
	text("\300\200", 2, "\"\\ufffd\\ufffd\"");
	text("\340\200\200", 3, "\"\\ufffd\\ufffd\\ufffd\"");
	text("\355\240\200", 3, "\"\\ufffd\\ufffd\\ufffd\"");
	text("\364\220\200\200", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	memset(all, 'x', sizeof(all));
	json_text(&o, NULL, all, sizeof(all));
	if (output_pending(&o) != sizeof(all) + 2)
		failures++;
	return failures != 0;
}
