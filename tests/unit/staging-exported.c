// SPDX-License-Identifier: GPL-2.0-or-later
/* A script's exported text is added to the metrics page if it is OpenMetrics and uses only its own names; labels
 * are UTF-8 and properly terminated. */
#include "session/exported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(const char *what, const char *got, const char *want)
{
	if (strcmp(got, want) == 0)
		return;
	failures++;
	printf("%s: got\n%s\ninstead of\n%s\n", what, got, want);
}

static void check(const char *what, struct exported *all, unsigned session, const char *text, const char *want,
		  unsigned bad)
{
	char *page = NULL;
	size_t size;
	FILE *file = open_memstream(&page, &size);
	unsigned found = exported_write(all, file, session, text);

	fclose(file);
	expect(what, page, want);
	if (found != bad && ++failures)
		printf("%s: %u lines are bad, not %u\n", what, found, bad);
	free(page);
}

static void check_label(const char *text, const char *want)
{
	char *page = NULL;
	size_t size;
	FILE *file = open_memstream(&page, &size);

	exported_write_label(file, text);
	fclose(file);
	expect("label", page, want);
	free(page);
}

int main(void)
{
	struct exported all = { 0 };
	const char *good = "# TYPE reads counter\n# HELP reads How many.\nreads_total{who=\"a b\"} 12\n"
			   "reads_total{who=\"\\\"\\\\\\n}\",x=\"\"} 1.5e3 17\nplain -1\nother:name{} NaN\n";

	check("good", &all, 0, good, good, 0);
	check("without its last newline", &all, 0, "plain 2", "plain 2\n", 0);
	check("no OpenMetrics", &all, 0,
	      "# EOF\n# a remark\n# TYPE x strange\nx\nx \nx 1 2 3\nx{a=1} 1\nx{a=\"1} 1\nx{a=\"\\t\"} 1\n1x 1\n"
	      "x{a=\"1\" b=\"2\"} 1\nx 1 \nx{a=\"\xff\"} 1\nx{a=\"\r\"} 1\n\nhello world\nx\t1\n", "", 16);
	check("ours", &all, 0, "tapc_session_errors_total{session=\"bobs\"} 0\n# TYPE tapc_probe_hits counter\n", "", 2);
	check("another's", &all, 1, "reads_total{who=\"a b\"} 0\n# TYPE reads counter\nmine 1\n", "mine 1\n", 2);
	exported_free(&all);
	check_label("a\"b\\c\nd", "a\\\"b\\\\c\\nd");
	check_label("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
	check_label("\xff\xc3(\xe2\x82\xed\xa0\x80\xc0\xaf\t\r\x7f.", "?" "?(" "?????" "?????.");
	return failures != 0;
}
