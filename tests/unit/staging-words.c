/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splitting command lines into words, and which command lines need a shell. */
#include <stdio.h>
#include <string.h>

#include "common/words.h"

static int failed;

/* WANTED: the words separated by '|', or NULL if KIND is not WORDS_PLAIN. */
static void check(const char *text, enum words_kind kind, const char *wanted)
{
	struct words w;
	enum words_kind found = words_split(text, &w);
	char got[256] = "";

	for (size_t i = 0; i < w.count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? "|" : "", w.list[i]);
	if (found != kind || (wanted && strcmp(got, wanted))) {
		printf("not ok <%s>: %d <%s>, not %d <%s>\n", text, found, got, kind, wanted ? wanted : "");
		failed = 1;
	}
	words_free(&w);
}

int main(void)
{
	check("ls", WORDS_PLAIN, "ls");
	check("  ls\t-l  /tmp ", WORDS_PLAIN, "ls|-l|/tmp");
	check("sh -c 'a; b'", WORDS_PLAIN, "sh|-c|a; b");
	check("sh -c \"a; b | (c & d)\"", WORDS_PLAIN, "sh|-c|a; b | (c & d)");
	check("mysql -e 'select 1;'", WORDS_PLAIN, "mysql|-e|select 1;");
	check("echo '' \"\" x", WORDS_PLAIN, "echo|||x");
	check("echo a'b c'\"d e\"f", WORDS_PLAIN, "echo|ab cd ef");
	check("echo a\\ b \\; \\'", WORDS_PLAIN, "echo|a b|;|'");
	check("echo \"a\\\"b \\\\ \\n \\$x\"", WORDS_PLAIN, "echo|a\"b \\ \\n $x");
	check("echo '$x' '*' a=b a{b} a~ a#", WORDS_PLAIN, "echo|$x|*|a=b|a{b}|a~|a#");
	check("echo $x", WORDS_EXPANDED, NULL);
	check("echo \"$x\"", WORDS_EXPANDED, NULL);
	check("echo \"`x`\"", WORDS_EXPANDED, NULL);
	check("ls *.c", WORDS_EXPANDED, NULL);
	check("ls [ab]?", WORDS_EXPANDED, NULL);
	check("ls ~/x", WORDS_EXPANDED, NULL);
	check("ls >/dev/null 2>&1", WORDS_EXPANDED, NULL);
	check("A=1 ls", WORDS_EXPANDED, NULL);
	check("ls # comment", WORDS_EXPANDED, NULL);
	check("a; b", WORDS_SHELL, NULL);
	check("a & b", WORDS_SHELL, NULL);
	check("a && b", WORDS_SHELL, NULL);
	check("a | b", WORDS_SHELL, NULL);
	check("(a)", WORDS_SHELL, NULL);
	check("a\nb", WORDS_SHELL, NULL);
	check("! a", WORDS_SHELL, NULL);
	check("{ a", WORDS_SHELL, NULL);
	check("a 'open", WORDS_SHELL, NULL);
	check("a \"open", WORDS_SHELL, NULL);
	check("a \\", WORDS_SHELL, NULL);
	check("", WORDS_SHELL, NULL);
	check(" \t", WORDS_SHELL, NULL);
	if (!failed)
		printf("ok staging-words\n");
	return failed;
}
