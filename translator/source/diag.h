/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a script: position, text, the line with a caret below, notes.
 *
 *	open.stp:3:13: error: no variable 'filename' in vfs_open
 *	  3 |     println($filename)
 *	    |             ^~~~~~~~~
 *	open.stp:3:13: note: it has: path, file
 *
 * Texts are lower case without a full stop, names in '...', and where possible say what to do.
 * The span's source leads to struct diag, so that a call needs no other argument. */
#ifndef TAPC_DIAG_H
#define TAPC_DIAG_H

#include "base/map.h"
#include "base/vec.h"
#include "source.h"

struct arena;
struct options;

/* A place in the script that leads to a definition in the library; see diag_used. */
struct library_use {
	struct span definition, use;
};

enum diag_kind { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* What gets the messages instead of standard error. A note belongs to the message before it. */
struct diag_receiver {
	void (*show)(void *data, enum diag_kind kind, struct span at, const char *text);
	void *data;
};

/* The messages of a run. */
struct diag {
	struct arena *arena;
	const struct options *options;	/* which messages are shown, and how */
	unsigned errors, warnings;
	struct diag_receiver receiver;	/* show is NULL: standard error */
	bool mute;			/* the last message was suppressed, and so are its notes */
	struct span shown;		/* the line of the script that was printed last */
	struct map said;		/* messages printed so far */
	VEC(struct library_use) library_uses;
};

void diag_open(struct diag *d, struct arena *a, const struct options *o);

/* The error is counted; translation continues to the end of the stage. */
void diag_error(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Belongs to the message before it, and is suppressed with it. */
void diag_note(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Records that USE in the script leads to DEFINITION, a function or an alias. If DEFINITION is in the library,
 * messages about its body show USE first. */
void diag_used(struct span definition, struct span use);

#endif
