/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of the output of another machine only colours and cursor movements reach the terminal, regardless of how it is
 * split into pieces. */
#include "base/tame.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

static unsigned count, failures;
static struct arena *arena;

static void check(bool good, const char *claim, const char *got)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", ++count, claim);
	if (!good)
		printf("# got '%s'\n", got);
	failures += !good;
}

/* Passes FROM in pieces of SIZE bytes. */
static const char *tamed(const char *from, size_t size)
{
	struct tame t = { .n = 0 };
	struct text out;

	text_init(&out, arena);
	for (size_t left = strlen(from); left; left -= size < left ? size : left)
		tame_add(&t, &out, from + strlen(from) - left, size < left ? size : left);
	tame_end(&t, &out);
	return out.s;
}

static void becomes(const char *from, const char *to, const char *claim)
{
	for (size_t size = 1; size <= strlen(from); size++)
		if (!str_equal(tamed(from, size), to)) {
			check(false, claim, tamed(from, size));
			return;
		}
	check(true, claim, "");
}

int main(void)
{
	arena = arena_open();
	becomes("a line\tof text\r\n", "a line\tof text\r\n", "text is as it was");
	becomes("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x90\xa7", "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x90\xa7",
		"in UTF-8, too");
	becomes("\033[1;31mred\033[m", "\033[1;31mred\033[m", "colours");
	becomes("\033[1;1H\033[J\033[2K\033[s\033[u\033[?25l", "\033[1;1H\033[J\033[2K\033[s\033[u\033[?25l",
		"the cursor");
	becomes("\033]0;title\007x", "\\x1b]0;title\\x07x", "no title");
	becomes("\033]52;c;eA==\033\\", "\\x1b]52;c;eA==\\x1b\\", "no clipboard");
	becomes("\033[6n\033[c\033[21t", "\\x1b[6n\\x1b[c\\x1b[21t", "no question that the terminal answers");
	becomes("\033[?1049h\033[?25;1h", "\\x1b[?1049h\\x1b[?25;1h", "no other mode");
	becomes("\033c\033P1\033\\", "\\x1bc\\x1bP1\\x1b\\", "no reset, no device string");
	becomes("\xc2\x9b" "6n\x9b" "6n", "\\xc2\\x9b6n\\x9b6n", "nor by one character");
	becomes("\033\033[31mx", "\\x1b\033[31mx", "what follows a bad one counts");
	becomes("\033[\033[31mx", "\\x1b[\033[31mx", "also within it");
	becomes("\xe2\x82" "abc\xff\xc0\x80", "\\xe2\\x82abc\\xff\\xc0\\x80", "broken characters");
	becomes("a\bb\177", "a\\x08b\\x7f", "other control characters");
	becomes("\033[1111111111111111111111111111111111111111m", "\\x1b[1111111111111111111111111111111111111111m",
		"a long sequence");
	becomes("end\033[3", "end\\x1b[3", "one without an end");
	check(str_equal(tame_word(arena, "a\033]0;\n"), "a\\x1b]0;\\x0a"), "a word in a message", "");
	printf("1..%u\n", count);
	arena_close(arena);
	return failures != 0;
}
