/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's table of options, made from the rows of options.def: the tables of getopt_long(3), and the help. */
#ifndef STAGING_OPTION_TABLE_H
#define STAGING_OPTION_TABLE_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* Headings of the help and of the manual. */
enum option_group {
	GROUP_RUNS, GROUP_OUTPUT, GROUP_SESSIONS, GROUP_PLACES, GROUP_COST, GROUP_PASSES, GROUP_KERNELS, GROUP_MESSAGES,
	OPTION_GROUPS
};
/* Whether a module built with the option differs from one without it. */
enum option_module { MODULE_ANY, MODULE_SHAPES, MODULE_KEPT };

struct options;				/* the program's other options */

/* Functions of rows return the exit status after a message, or -1 to continue. */
struct option_row {
	enum option_group group;
	int letter;			/* 0: none */
	const char *name;		/* "": none */
	const char *argument;		/* as options.def describes it */
	enum { PUT_FLAG, PUT_COUNT, PUT_TEXT, PUT_LIST, PUT_CHECKED, PUT_CALL, PUT_CHOICE } how;
	size_t member;			/* offset in struct options, except for the last two */
	int (*check)(const char *value);
	int (*take)(struct options *o, const char *value);
	int (*choose)(struct options *o, const char *value, int number);
	int number;
	const char *help;		/* "": not shown */
	enum option_module module;
	const char *passed;		/* taprun's spelling; NULL or "": not passed on */
};

/* getopt_long's value of a long option without a letter: ROW's index and this. */
enum { OPTION_FIRST = 256 };

/* getopt's string of letters, after BEFORE ("+:"): 2 * N bytes and those of BEFORE are enough. */
void option_letters(const struct option_row *rows, size_t n, const char *before, char *letters);
/* The table of long options: up to N + 1 elements. Returns their number, without the last, which is zero. */
size_t option_names(const struct option_row *rows, size_t n, struct option *names);
/* The row for a result of getopt_long; NULL: not from a row. */
const struct option_row *option_of(const struct option_row *rows, size_t n, int value);
/* Store VALUE as ROW says. Returns -1, or the exit status of its function. Not for PUT_LIST. */
int option_store(struct options *o, const struct option_row *row, const char *value);
/* Print all rows below their headings. */
void option_help(const struct option_row *rows, size_t n);

/* The maximum length of a row's first columns: "-c COMMAND". */
enum { OPTION_SPELLING = 128 };

#endif
