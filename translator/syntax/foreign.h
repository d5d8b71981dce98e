/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translates the beginnings of bpftrace and DTrace scripts to this language, for error messages. */
#ifndef TAPC_FOREIGN_H
#define TAPC_FOREIGN_H

struct arena;

/* If TEXT begins with a clause of another tracer, returns the equivalent 'probe kernel.function("vfs_read")', with
 * the clause's filter. Returns "" if there is no equivalent, and NULL if TEXT does not look like such a clause. */
const char *foreign_probe(struct arena *a, const char *text, const char **language);
/* If TEXT begins with a filter, "/pid == 1/", returns the equivalent statement; otherwise NULL. */
const char *foreign_filter(struct arena *a, const char *text);
/* The words of the other tracers in the body that begins in TEXT: "comm is execname(); ..."; NULL if it has none. */
const char *foreign_words(struct arena *a, const char *text);
/* The equivalent of the variable or function NAME of another tracer or of C; NULL if NAME is not known. */
const char *foreign_word(const char *name);

#endif
