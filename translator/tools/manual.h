/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual in the tapset files: comments of this form before functions and aliases, and the
 * families' own lines of help.
 *
 *	/ **
 *	 * NAME, NAME - what it is
 *	 * @argument: what it is, with its unit
 *	 *
 *	 * More, in paragraphs. Indented text is code; code below "Example:" is a test, and the text
 *	 * below "Prints:" is its output.
 *	 * /
 *
 * A name may have wildcards: the comment then describes all functions or aliases that match. A
 * function or alias that no comment names belongs to the comment above it. */
#ifndef TAPC_MANUAL_H
#define TAPC_MANUAL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/util.h"
#include "base/vec.h"

struct library;
struct macros;
struct source;
struct text;

/* A comment. */
struct manual_text {
	name_list names;
	const char *summary;		/* after the '-' */
	const char *body;		/* the lines below the heading, without " * " */
	const char *subject;		/* of the file: "vfs" for vfs.stp */
	const struct source *source;
	size_t at;			/* offset in SOURCE */
	size_t declared;		/* number of entries that this text describes */
};

enum manual_kind { MANUAL_FUNCTION, MANUAL_ALIAS, MANUAL_POINT };

struct manual_entry {
	enum manual_kind kind;
	const char *name;		/* "pid"; of points without their arguments: "timer.ms" */
	const char *declaration;	/* "function pid:long ()", "probe vfs.read = ...", "timer.ms(number)" */
	const char *summary;		/* of its text or of the family; "" if there is none */
	const char *subject;		/* of its file; for a point, its family */
	const struct manual_text *text;	/* NULL: not documented */
};

struct manual {
	struct arena *arena;
	VEC(struct manual_text *) texts;	/* in file order */
	VEC(struct manual_entry) entries;	/* sorted by name */
	const struct macros *macros;
};

/* Reads every tapset file. False, with messages, if one of them has an error: what it defines may be missing. */
bool manual_open(struct manual *m, struct arena *a, struct library *lib);
/* Append the documentation of a function, a built-in word or a macro, or of a point; false if NAME is not one. */
bool manual_function_text(const struct manual *m, const char *name, struct text *out);
bool manual_probe_text(const struct manual *m, const char *name, struct text *out);
/* Print the documentation of NAME; for a pattern or the first components of points, one line for
 * each match. False, with a message that suggests a similar name, if nothing matches. */
bool manual_help_function(const struct manual *m, const char *name);
bool manual_help_probe(const struct manual *m, const char *name);

#endif
