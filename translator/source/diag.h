/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a script: position, text, the line with a caret below, notes.
 *
 *	open.stp:3:13: error: no variable 'filename' in vfs_open
 *	  3 |     println($filename)
 *	    |             ^~~~~~~~~
 *	open.stp:3:13: note: it has: path, file
 *
 * Texts are lower case without a full stop, names in '...', and where possible say what to do.
 * The span's source leads to the translation, so that a call needs no context. */
#ifndef TAPC_DIAG_H
#define TAPC_DIAG_H

#include "source.h"

/* Counted; translation goes on to the end of the stage. */
void diag_error(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Belongs to the message before; silent when that was suppressed. */
void diag_note(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The script's USE leads to DEFINITION, a function or an alias: messages about what is in it, if it is in the
 * library, come with the use first. */
void diag_used(struct span definition, struct span use);

#endif
