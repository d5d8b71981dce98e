/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The actions of programs on rows of options.def, which are data here: no row is treated specially by letter or
 * name. */
#include "option_table.h"

#include <stdio.h>
#include <string.h>

static const char *const headings[OPTION_GROUPS] = {
	[GROUP_RUNS] = "Running scripts",
	[GROUP_OUTPUT] = "Output",
	[GROUP_SESSIONS] = "Sessions",
	[GROUP_PLACES] = "Listing probe points",
	[GROUP_COST] = "Cost limits",
	[GROUP_PASSES] = "Passes",
	[GROUP_KERNELS] = "Target kernel",
	[GROUP_MESSAGES] = "Messages",
};

static int has_argument(const struct option_row *row)
{
	switch (row->argument[0]) {
	case 0: case ' ': return no_argument;
	case '[': return optional_argument;
	}
	return required_argument;
}

void option_letters(const struct option_row *rows, size_t n, const char *before, char *letters)
{
	char *end = stpcpy(letters, before);

	for (size_t i = 0; i < n; i++) {
		if (!rows[i].letter)
			continue;
		*end++ = (char)rows[i].letter;
		if (has_argument(&rows[i]) == required_argument)
			*end++ = ':';
	}
	*end = 0;
}

size_t option_names(const struct option_row *rows, size_t n, struct option *names)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (*rows[i].name)
			names[count++] = (struct option){ rows[i].name, has_argument(&rows[i]), NULL,
							  OPTION_FIRST + (int)i };
	names[count] = (struct option){ 0 };
	return count;
}

const struct option_row *option_of(const struct option_row *rows, size_t n, int value)
{
	if (value >= OPTION_FIRST)
		return (size_t)(value - OPTION_FIRST) < n ? &rows[value - OPTION_FIRST] : NULL;
	for (size_t i = 0; i < n; i++)
		if (rows[i].letter && rows[i].letter == value)
			return &rows[i];
	return NULL;
}

int option_store(struct options *o, const struct option_row *row, const char *value)
{
	void *member = (char *)o + row->member;
	int status;

	switch (row->how) {
	case PUT_FLAG: *(bool *)member = true; break;
	case PUT_COUNT: ++*(int *)member; break;
	case PUT_CALL: return row->take(o, value);
	case PUT_CHOICE: return row->choose(o, value, row->number);
	case PUT_CHECKED:
		status = row->check(value);
		if (status >= 0)
			return status;
		__attribute__((fallthrough));
	case PUT_TEXT: *(const char **)member = value; break;
	case PUT_LIST: break;
	}
	return -1;
}

/* "FILE" after a letter or a name is another word, "[=FILE]" after a name belongs to it. */
/* Write the option in the form used by the help: "-h, --help", "--vm[=RELEASE]". */
static void option_spelling(const struct option_row *row, char text[OPTION_SPELLING])
{
	const char *argument = row->argument;
	bool optional = *argument == '[', both = row->letter && *row->name;

	snprintf(text, OPTION_SPELLING, "%.*s%s%s%s%s%s", row->letter ? 2 : 0, (char[]){ '-', (char)row->letter },
		 both ? ", " : "", *row->name ? "--" : "", row->name,
		 optional ? "[=" : *argument && *argument != ' ' ? " " : "", argument + optional);
}

static void print_row(const struct option_row *row)
{
	enum { COLUMN = 22 };
	char text[OPTION_SPELLING];

	option_spelling(row, text);
	if (strlen(text) < COLUMN)
		printf("  %-*s%s\n", COLUMN, text, row->help);
	else
		printf("  %s\n  %*s%s\n", text, COLUMN, "", row->help);
}

void option_help(const struct option_row *rows, size_t n)
{
	for (int group = 0; group < OPTION_GROUPS; group++) {
		bool begun = false;

		for (size_t i = 0; i < n; i++) {
			if ((int)rows[i].group != group || !*rows[i].help)
				continue;
			if (!begun)
				printf("\n%s\n", headings[group]);
			begun = true;
			print_row(&rows[i]);
		}
	}
}
