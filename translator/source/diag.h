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

/* The error is counted; translation continues to the end of the stage. */
void diag_error(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Belongs to the message before it, and is suppressed with it. */
void diag_note(struct span at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Records that USE in the script leads to DEFINITION, a function or an alias. If DEFINITION is in the library,
 * messages about its body show USE first. */
void diag_used(struct span definition, struct span use);

#endif
