/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine lacks, and what closes the gap there. */
#ifndef STAGING_ADVICE_H
#define STAGING_ADVICE_H

#include <stdbool.h>

#define ADVICE(name, ...) ADVICE_##name,
enum advice {
#include "advice.def"
	ADVICE_KINDS
};
#undef ADVICE

struct gap {
	char *what;			/* "no headers for kernel 6.1.0: ..."; NULL: no gap */
	enum advice advice;
	char *subject;			/* what the advice's '@' stands for; or NULL */
	const char *otherwise;		/* "name another kernel with -r": what else would do; or NULL */
	const char *root;		/* the system that has the gap; NULL: this one */
};

/* Fill in G, which was empty. Returns false. */
bool gap_found(struct gap *g, enum advice advice, const char *subject, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void gap_close(struct gap *g);

/* The caller frees these. ROOT is the system that has the gap: "" for this one. */

/* The command that closes the gap: "apt install gcc-12", after "sudo" if this user needs that; NULL if none is known
 * for the distribution. */
char *advice_command(enum advice advice, const char *subject, const char *root);
/* The same as a clause of a sentence, "run 'apt install gcc-12'"; or words, if no command is known. */
char *advice_clause(enum advice advice, const char *subject, const char *root);
/* "WHAT; CLAUSE, or OTHERWISE" */
char *gap_text(const struct gap *g);

#endif
