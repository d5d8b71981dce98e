/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual that stands in the tapset files: a comment of this form before a function or an alias,
 * and the families' own lines of help.
 *
 *	/ **
 *	 * NAME, NAME - what it is
 *	 * @argument: what it is, with its unit
 *	 *
 *	 * More, in paragraphs. What is indented is code; code below "Example:" is a test, and what is
 *	 * below "Prints:" what it prints.
 *	 * /
 *
 * A name may have wildcards: the comment is then that of all it fits. What no comment names has the
 * one above it. */
#ifndef TAPC_MANUAL_H
#define TAPC_MANUAL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/util.h"
#include "base/vec.h"

struct library;
struct macros;
struct source;

/* A comment. */
struct manual_text {
	name_list names;
	const char *summary;		/* behind the '-' */
	const char *body;		/* the lines below, without their " * " */
	const char *subject;		/* of the file: "vfs" for vfs.stp */
	const struct source *source;
	size_t at;			/* there */
	size_t declared;		/* entries that have it */
};

enum manual_kind { MANUAL_FUNCTION, MANUAL_ALIAS, MANUAL_POINT };

struct manual_entry {
	enum manual_kind kind;
	const char *name;		/* "pid"; of points without their arguments: "timer.ms" */
	const char *declaration;	/* "function pid:long ()", "probe vfs.read = ...", "timer.ms(number)" */
	const char *summary;		/* of its text, or the family's; "" when there is none */
	const char *subject;		/* of its file; of a point its family */
	const struct manual_text *text;	/* NULL: it has none */
};

struct manual {
	struct arena *arena;
	VEC(struct manual_text *) texts;	/* as the files have them */
	VEC(struct manual_entry) entries;	/* by name */
	const struct macros *macros;
};

/* Reads every tapset file. False, with messages, when something is wrong with them. */
bool manual_open(struct manual *m, struct arena *a, struct library *lib);
/* Print what is known of NAME, or, of a pattern or of the first words of points, a line for each. False,
 * with a message that says what it may have been, when there is none. */
bool manual_help_function(const struct manual *m, const char *name);
bool manual_help_probe(const struct manual *m, const char *name);
/* What is no function: built in, as printf and @count, or a macro, with its '@' or without. False, without a
 * message, when there is none. */
bool manual_help_word(const struct manual *m, const char *name);
void manual_word_names(const struct manual *m, struct arena *a, name_list *names);
/* Write man pages to DIR: tapset-SUBJECT.3tap for each tapset file, and the indexes tapfuncs.3tap and
 * tapprobes.3tap. False, with a message. */
bool manual_pages(const struct manual *m, const char *dir);

#endif
