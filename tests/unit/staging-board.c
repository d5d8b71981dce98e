// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen of --monitor, without a terminal: lines and their order, rates, panes that scroll, the division of a
 * screen, the last lines of a text, and the part of a line that fits. */
#include "screen/board.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"
#include "screen/pane.h"
#include "screen/screen.h"
#include "screen/scrollback.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static bool is(char *line, const char *text)
{
	bool same = strcmp(line, text) == 0;

	if (!same)
		printf("'%s'\n", line);
	free(line);
	return same;
}

static bool has(char *line, const char *text)
{
	bool found = strstr(line, text) != NULL;

	if (!found)
		printf("'%s'\n", line);
	free(line);
	return found;
}

/* ---- the board ---- */

static struct meta_probe points[] = {
	{ "b", "x.stp:1:1" }, { "c", "x.stp:2:1" }, { "procfs", "<globals at exit>:1:1" }, { "a", "x.stp:3:1" },
};
static const struct meta meta = { .script = "x.stp", .probes = points, .probe_count = 4 };

static void take(struct board *b, u64 first_hits, uint64_t at)
{
	const struct tap_probe_report reports[] = {
		{ .number = 0, .hits = first_hits, .armed = 1 },
		{ .number = 1, .hits = 5, .time = 100, .time_min = 10, .time_max = 40 },
		{ .number = 3, .hits = 1, .armed = 1 },
		{ .number = 2, .hits = 7, .skipped = 2, .shed = 1 },
	};
	const struct tap_report report = { .probe_count = 4, .started = 1, .now = 5000000001, .memory = 2048,
					   .skipped_lock = 2 };
	struct tap_probe_report *probes = host_alloc(sizeof(reports));

	memcpy(probes, reports, sizeof(reports));
	board_take(b, &report, probes, at);
}

static u32 number_at(const struct board *b, unsigned n)
{
	return board_probe(b, n)->number;
}

static void shows(void)
{
	struct board b = { 0 };

	CHECK(board_lines(&b) == 0 && is(board_head(&b, 0), "starting"));
	b = (struct board){ .name = "m", .state = "running", .meta = &meta };
	take(&b, 1000, 1000000000);
	CHECK(is(board_head(&b, 0), "m  script x.stp  running  up 5 s"));
	CHECK(is(board_head(&b, 1), "errors 0  skipped 2  lost 0  places 0  memory 2 KB"));
	CHECK(has(board_head(&b, 2), " >#        HITS "));
	CHECK(board_lines(&b) == 3);		/* the session's own probe is not shown */
	CHECK(number_at(&b, 0) == 0 && number_at(&b, 1) == 1 && number_at(&b, 2) == 2 && !board_probe(&b, 3));
	CHECK(is(board_line(&b, 0),
		 "  0        1000         0        0        -        -         -      -    on  b"));
	CHECK(is(board_line(&b, 1),
		 "  1           5         0        0       10       20        40    0.0   off  c"));
	CHECK(has(board_line(&b, 2), " shed  a"));
	take(&b, 2500, 3000000000);
	CHECK(has(board_line(&b, 0), "  2500       750 "));
	take(&b, 100, 4000000000);		/* counts were reset */
	CHECK(has(board_line(&b, 0), "   100       100 "));
	board_sort(&b, BOARD_POINT);
	CHECK(number_at(&b, 0) == 2 && number_at(&b, 1) == 0 && number_at(&b, 2) == 1);
	CHECK(has(board_head(&b, 2), " >PROBE"));
	board_sort(&b, BOARD_HITS);
	CHECK(number_at(&b, 0) == 0 && number_at(&b, 1) == 2 && number_at(&b, 2) == 1);
	take(&b, 6, 5000000000);		/* stays sorted */
	CHECK(number_at(&b, 0) == 2 && number_at(&b, 1) == 0 && number_at(&b, 2) == 1);
	board_sort(&b, BOARD_STATE);
	CHECK(number_at(&b, 0) == 2 && number_at(&b, 1) == 1 && number_at(&b, 2) == 0);
	board_take_globals(&b, strdup("n=1\na[\"x\"]=2\n"));
	CHECK(board_lines(&b) == 7 && is(board_line(&b, 3), "") && is(board_line(&b, 4), "GLOBALS"));
	CHECK(is(board_line(&b, 5), "n=1") && is(board_line(&b, 6), "a[\"x\"]=2") && !board_probe(&b, 5));
	board_take_globals(&b, strdup(""));
	CHECK(board_lines(&b) == 3);
	board_free(&b);
}

/* ---- panes ---- */

static void scrolls(void)
{
	struct pane p = { 0 }, output = { .follows = true };

	pane_fit(&p, 10, 4);
	pane_move(&p, -1);
	CHECK(p.at == 0 && p.top == 0);
	pane_move(&p, 4);
	CHECK(p.at == 4 && p.top == 1);
	pane_move(&p, 100);
	CHECK(p.at == 9 && p.top == 6);
	pane_move(&p, -3);
	CHECK(p.at == 6 && p.top == 6);
	pane_fit(&p, 10, 20);			/* larger: shows everything */
	CHECK(p.at == 6 && p.top == 0);
	pane_fit(&p, 3, 0);
	CHECK(p.at == 2 && p.top == 2);
	pane_fit(&p, 0, 5);
	pane_move(&p, 1);
	CHECK(p.at == 0 && p.top == 0);

	pane_fit(&output, 0, 3);
	pane_fit(&output, 10, 3);
	CHECK(output.top == 7);
	pane_fit(&output, 12, 3);
	CHECK(output.top == 9);
	pane_move(&output, -1);
	CHECK(output.top == 8);
	pane_fit(&output, 20, 3);		/* the user is reading */
	CHECK(output.top == 8);
	pane_move(&output, 1);
	CHECK(output.top == 9);
	pane_move(&output, 100);
	pane_fit(&output, 21, 3);
	CHECK(output.top == 18);
}

static void divides(void)
{
	for (unsigned lines = 1; lines < 60; lines++)
		for (unsigned wants = 0; wants < 40; wants += 3)
			for (unsigned how = 0; how < 4; how++) {
				struct layout l = layout_divide(lines, wants, how & 1, how & 2);

				CHECK(l.head + l.board + l.bar + l.output + l.keys == lines);
				CHECK(!(how & 1) || lines < 4 || l.output);
				CHECK((how & 1) || !l.output);
				CHECK(l.keys == (lines >= 3));
			}
	CHECK(layout_divide(30, 5, true, false).board == 5 && layout_divide(30, 50, true, false).board == 12);
	CHECK(layout_divide(30, 5, true, true).board == 0 && layout_divide(30, 5, true, true).output == 29);
	CHECK(layout_divide(30, 5, false, true).board == 26);
}

/* ---- texts ---- */

static void keeps(void)
{
	struct scrollback s = { .most = 10 };

	scrollback_add(&s, "", 0);
	CHECK(s.count == 0);
	scrollback_add(&s, "a\nb", 3);
	CHECK(s.count == 2 && is(scrollback_line(&s, 0), "a") && is(scrollback_line(&s, 1), "b"));
	scrollback_add(&s, "c\n\n", 3);
	CHECK(s.count == 3 && is(scrollback_line(&s, 1), "bc") && is(scrollback_line(&s, 2), ""));
	for (int i = 0; i < 1000; i++)
		scrollback_add(&s, "line\nline\n", 10);
	CHECK(s.size <= 20 && s.count == 4 && s.dropped == 3 + 2000 - 4);
	CHECK(is(scrollback_line(&s, 0), "line") && is(scrollback_line(&s, 3), "line"));
	scrollback_add(&s, "a line that is longer than it may be\nx\n", 39);
	CHECK(is(scrollback_line(&s, s.count - 1), "x"));
	for (int i = 0; i < 100; i++)
		scrollback_add(&s, "0123456", 7);
	CHECK(s.size <= 20);
	scrollback_free(&s);
}

static bool fits(const char *text, unsigned left, unsigned room, const wchar_t *expected)
{
	wchar_t to[64];
	size_t n = screen_fit(to, 63, text, left, room);

	to[n] = 0;
	return wcscmp(to, expected) == 0;
}

static void cuts(void)
{
	CHECK(setlocale(LC_CTYPE, "C.UTF-8"));
	CHECK(fits("hello", 0, 10, L"hello") && fits("hello", 0, 3, L"hel") && fits("hello", 2, 2, L"ll"));
	CHECK(fits("hello", 9, 2, L"") && fits("hello", 0, 0, L"") && fits("", 0, 5, L""));
	CHECK(fits("a\tb", 0, 20, L"a       b") && fits("a\tb", 4, 20, L"    b") && fits("a\tb", 0, 3, L"a  "));
	CHECK(fits("\033[2J\r\b", 0, 20, L"?[2J??"));
	CHECK(fits("gr\303\274n", 0, 20, L"gr\u00fcn") && fits("\377x\303", 0, 20, L"?x?"));
	/* wide characters: complete or not at all */
	CHECK(fits("\346\227\245\346\234\254", 0, 3, L"\u65e5") && fits("\346\227\245\346\234\254", 1, 3, L" \u672c"));
}

int main(void)
{
	shows();
	scrolls();
	divides();
	keeps();
	cuts();
	return failures != 0;
}
