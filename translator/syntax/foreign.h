/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What scripts of bpftrace and DTrace say, in this language: for the messages that such a script gets. */
#ifndef TAPC_FOREIGN_H
#define TAPC_FOREIGN_H

struct arena;

/* TEXT begins with a clause of another tracer's: "probe kernel.function("vfs_read")" for it, with the filter that
 * the clause has. NULL: it does not look like one. "": it does, and has no equivalent. */
const char *foreign_probe(struct arena *a, const char *text, const char **language);
/* TEXT begins with a filter, "/pid == 1/": the statement that does the same; NULL: it does not. */
const char *foreign_filter(struct arena *a, const char *text);
/* The other tracers' words in the body that begins in TEXT: "comm is execname(), ..."; NULL: there are none. */
const char *foreign_words(struct arena *a, const char *text);
/* How the variable or function NAME of another tracer or of C is had here; NULL: it is none. */
const char *foreign_word(const char *name);

#endif
