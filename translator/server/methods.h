/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON-RPC 2.0 and the life of a session: which method is answered how. */
#ifndef TAPC_SERVER_METHODS_H
#define TAPC_SERVER_METHODS_H

#include "session.h"

/* Acts on a message. At most one worker is started. */
void methods_receive(struct session *s, const char *text, size_t size);
/* Answers what is not a message: an error without an id. */
void methods_refuse(struct session *s, int code, const char *text);
/* The worker has ended, or must end: sends its message, or the error. */
void methods_finish(struct session *s, struct worker *w);
/* Starts reading ahead, if a worker is available. */
void methods_read_ahead(struct session *s);
/* Starts the diagnostics of a document, if a worker is available for that. */
bool methods_diagnose(struct session *s, struct document *d);

#endif
