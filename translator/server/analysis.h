/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server needs of the translator: flow/view.c, which knows the stages, supplies it. */
#ifndef TAPC_SERVER_ANALYSIS_H
#define TAPC_SERVER_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "source/diag.h"

struct images;
struct library;
struct program;
struct script;
struct text;

enum analysis_depth {
	ANALYSIS_SYNTAX,		/* parse */
	ANALYSIS_NAMES,			/* and find places, names and types, also of a script with errors */
	ANALYSIS_WHOLE,			/* everything up to emit, as tapc does: a stage with errors is the last */
};

/* One translation of a text. It changes the translator's state, so each takes place in its own process. */
struct analysis {
	const char *name, *text;
	size_t size;
	enum analysis_depth depth;
	struct diag_receiver receiver;	/* of the messages */
	/* filled in: */
	struct script *script;
	struct program *program;	/* NULL: not resolved */
};

struct analyst {
	void *data;
	/* Forgets all that earlier analyses and the library have left. False: a directory of tapsets cannot be read. */
	bool (*restart)(void *data);
	/* Indexes the tapsets for LIB; false as above. */
	bool (*open_library)(void *data, struct library *lib);
	void (*analyse)(void *data, struct analysis *a);
	/* Appends the formatted text; false after messages. */
	bool (*format)(void *data, const struct analysis *a, struct text *out);
	struct arena *(*arena)(void *data);
	struct library *(*library)(void *data);	/* that of the analysis */
	struct images *(*images)(void *data);
};

#endif
