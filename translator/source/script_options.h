/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The named options of a script, @option(NAME, DEFAULT, HELP, VALUES): what a declaration says, and whether a value
 * that the command line gives is one of its values. */
#ifndef TAPC_SCRIPT_OPTIONS_H
#define TAPC_SCRIPT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

/* VALUES of the declaration, as a text: */
struct option_values {
	enum {
		VALUES_ANY,		/* absent: all numbers or all strings, as the default is */
		VALUES_FLAG,		/* "flag": takes no value; the global is 1 if it is given */
		VALUES_RANGE,		/* "1..100", "1..", "..100" */
		VALUES_TIME,		/* "time us", "time ms 1..": 10ms, or a number of this unit */
		VALUES_WORDS,		/* "us|ms|s" */
	} kind;
	int64_t least, most;		/* RANGE, TIME */
	const char *unit;		/* TIME */
	const char *words;		/* WORDS: as written */
};

struct declared_option {
	const char *name;		/* as declared: "min-us"; on the command line '_' and '-' are the same */
	char letter;			/* -u; 0: none */
	const char *variable;		/* the name of the global */
	const char *text;		/* the default if it is a string; or NULL */
	int64_t number;			/* the default */
	const char *help;
	struct option_values values;
	const char *values_text;	/* the same as declared; NULL: absent */
};
typedef VEC(struct declared_option) declared_options;

/* "min-us|u": sets name and letter. NULL, or what is wrong. */
const char *declared_set_name(struct declared_option *o, struct arena *a, const char *text);
/* Sets values; the default must be set and is checked, too. NULL, or what is wrong. */
const char *declared_set_values(struct declared_option *o, struct arena *a, const char *text);
/* The option named WORD, up to its end or '='; NULL: there is no such option. */
const struct declared_option *declared_find(const declared_options *all, const char *word);
const struct declared_option *declared_find_letter(const declared_options *all, char letter);
/* The value to set, as text, a number in decimal: of GIVEN, or of an option without a value if that is NULL. NULL with
 * a message if the option has no such value. */
const char *declared_value(const struct declared_option *o, struct arena *a, const char *given);
static inline bool declared_is_flag(const struct declared_option *o) { return o->values.kind == VALUES_FLAG; }
/* The word for the value in the help: NUMBER, TIME, TEXT, "us|ms"; "" for a flag. */
const char *declared_placeholder(const struct declared_option *o);
/* The help with range and default: "how many lines (1 to 100; default: 10)". */
const char *declared_help(const struct declared_option *o, struct arena *a);

#endif
