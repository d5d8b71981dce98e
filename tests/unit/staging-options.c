// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line: what is accepted, and what is rejected with status 2. */
#include "session/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/message.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static struct options o;

/* WORDS separated by blanks. */
static int parse(const char *words)
{
	static char copy[256], *argv[32];
	int argc = 1;

	strcpy(copy, words);
	argv[0] = "taprun";
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	optind = 0;
	return options_parse(&o, argc, argv);
}

/* staprun's -b takes a number, and its -F has a different meaning. */
static void understands_staprun(void)
{
	CHECK(parse("-b 4 x.ko") == -1 && o.buffer == 4 << 20 && !o.bulk && strcmp(o.module, "x.ko") == 0);
	CHECK(parse("-b -o f x.ko") == -1 && o.bulk && !o.buffer);
	CHECK(parse("-tb 8 x.ko") == -1 && o.buffer == 8 << 20 && o.timing && !o.bulk);
	CHECK(parse("-b 4") == 2);
	CHECK(parse("-b 0 x.ko") == 2);
	CHECK(parse("-u x.ko") == -1 && strcmp(o.module, "x.ko") == 0);
	CHECK(parse("-M 2 x.ko") == -1 && o.monitor && o.monitor_seconds == 2);
	CHECK(parse("-F 5 x.ko") == 2);
	CHECK(parse("-F x.ko") == -1 && o.load_only);
	CHECK(parse("-N 12 x.ko") == 2);
}

static void understands(void)
{
	CHECK(parse("x.ko") == -1 && strcmp(o.module, "x.ko") == 0 && o.word_count == 0);
	CHECK(parse("-v -v -w -o f -S 3,2 -b -c cmd -T 1.5 -s 8 -R -C always x.ko a=1 b==") == -1);
	CHECK(o.verbose == 2 && o.no_warnings && strcmp(o.names.format, "f") == 0);
	CHECK(o.names.size == 3 << 20 && o.names.most == 2 && o.bulk);
	CHECK(strcmp(o.command, "cmd") == 0 && o.remote == -1);
	CHECK(parse("-r 12:root@a:22 x.ko") == -1 && o.remote == 12 && strcmp(o.remote_name, "root@a:22") == 0);
	CHECK(parse("-r a x.ko") == 2 && parse("-r 1 x.ko") == 2);
	CHECK(parse("-v -v -w -o f -S 3,2 -b -c cmd -T 1.5 -s 8 -R -C always x.ko a=1 b==") == -1);
	CHECK(o.seconds == 1.5 && o.buffer == 8 << 20 && o.rename && o.colour == COLOUR_ALWAYS);
	CHECK(o.word_count == 2 && strcmp(o.words[1], "b==") == 0);
	CHECK(parse("-x 1 x.ko") == -1 && o.target == 1);
	CHECK(parse("-vvA x") == -1 && o.attach && o.verbose == 2);
	CHECK(parse("-L x.ko a=") == -1 && o.load_only);
	CHECK(parse("-d a b") == -1 && o.remove && o.word_count == 2 && strcmp(o.words[0], "a") == 0);
	CHECK(parse("-D -o f x.ko") == -1 && o.daemon);
	CHECK(parse("--output=text x.ko") == -1 && !o.json);
	CHECK(parse("--output=json x.ko") == -1 && o.json);
	CHECK(parse("--json x.ko") == -1 && o.json);
	CHECK(parse("-F x.ko") == -1 && o.load_only && o.overwrite && !o.daemon);
	CHECK(parse("-F -o f -S 1,2 x.ko") == -1 && o.daemon && !o.overwrite && !o.load_only);
	CHECK(parse("--stop x") == -1 && o.attach && o.stop && strcmp(o.module, "x") == 0);
	CHECK(parse("--sessions") == -1 && o.sessions && !o.module);
	CHECK(parse("--monitor x.ko a=1") == -1 && o.monitor && o.monitor_seconds == 1 && o.word_count == 1);
	CHECK(parse("--monitor=0.5 x.ko") == -1 && o.monitor && o.monitor_seconds == 0.5 && !o.monitored);
	CHECK(parse("--monitor=x") == -1 && !o.monitor && strcmp(o.monitored, "x") == 0);
}

static void refuses(void)
{
	CHECK(parse("--monitor=0 x.ko") == 2 && parse("--monitor=1x x.ko") == 2 && parse("--monitor=-1 x.ko") == 2);
	CHECK(parse("--monitor=x x.ko") == 2 && parse("--monitor -L x.ko") == 2 && parse("--monitor") == 2);
	static const char *const wrong[] = {
		"", "-q x.ko", "--nonsense x.ko", "-o", "-x x x.ko", "-x 0 x.ko", "-x -1 x.ko",
		"-x 99999999999 x.ko", "-S x.ko", "-S 0 -o f x.ko", "-S 1,0 -o f x.ko",
		"-S 1,x -o f x.ko", "-S 1, -o f x.ko", "-S 1 x.ko", "-s 0 x.ko", "-s 1k x.ko",
		"-s -1 x.ko", "-T 0 x.ko", "-T x x.ko", "-T -1 x.ko", "-T nan x.ko",
		"-C sometimes x.ko", "--output=xml x.ko", "-b --output=json x.ko", "-c a -x 1 x.ko", "-A -L x",
		"-A -F x", "--stop", "--sessions x", "--flame f -o g x.ko", "--flame f --output=json x.ko",
		"--flame f -L x.ko", "-F -c y x.ko",
		"-A x a=1", "-A -c y x", "-L -c y x.ko", "-L -o f x.ko", "-D x.ko", "-b x.ko",
		"-d", "x.ko a", "x.ko =1", "x.ko -v",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (parse(wrong[i]) != 2) {
			printf("not refused: %s\n", wrong[i]);
			failures++;
		}
}

static struct output nowhere = { .fd = -1, .error = 1 };	/* messages are expected */

int main(void)
{
	output_take_messages(&nowhere);
	understands();
	understands_staprun();
	refuses();
	return failures != 0;
}
