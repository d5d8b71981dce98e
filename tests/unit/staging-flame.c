// SPDX-License-Identifier: GPL-2.0-or-later
/* Folded stacks: equal ones are merged, frames are as wide as their share, names are escaped, other lines are
 * passed through. */
#include "session/flame.h"

#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static char *svg, *rest;

static bool draw(const char *text)
{
	size_t size;
	FILE *out, *others;
	bool good;

	free(svg);
	free(rest);
	out = open_memstream(&svg, &size);
	others = open_memstream(&rest, &size);
	good = flame_draw(out, text, strlen(text), others);
	fclose(out);
	fclose(others);
	return good;
}

static size_t count(const char *text)
{
	size_t n = 0;

	for (const char *at = svg; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* With an argument, folded stacks, print their picture: for tests/options/flame-script. */
int main(int argc, char **argv)
{
	char deep[20000] = "";

	if (argc > 1)
		return !flame_draw(stdout, argv[1], strlen(argv[1]), stderr);
	CHECK(draw("hello\nmain;b 1\nmain;a 2\nmain;b 1\n\nother;x<y>&z 4\nno count\n"));
	CHECK(strcmp(rest, "hello\nno count\n") == 0);
	CHECK(count("<rect") == 6);
	CHECK(count("<title>all (8, 100.00%)</title><rect x=\"10.0000\"") == 1 && count("width=\"1180.0000\"") == 1);
	CHECK(count("<title>main (4, 50.00%)</title><rect x=\"10.0000\"") == 1 && count("width=\"590.0000\"") == 3);
	CHECK(count("<title>a (2, 25.00%)</title><rect x=\"10.0000\"") == 1);
	CHECK(count("<title>b (2, 25.00%)</title><rect x=\"305.0000\"") == 1);
	CHECK(count("x&lt;y&gt;&amp;z (4") == 1 && count("x<y") == 0);
	CHECK(!draw("") && !draw("text\n") && !draw("a;b 0\n") && !draw(" 5\n") && !draw("5\n"));
	CHECK(!draw("a 99999999999999999999999\n"));
	for (size_t i = 0; i < 3000; i++)
		strcat(deep, "f;");
	strcat(deep, " 1");
	CHECK(draw(deep) && count("<rect") == 513);
	CHECK(draw(";;a;;b 1") && count("<rect") == 3);
	return failures != 0;
}
