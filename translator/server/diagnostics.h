/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The translator's messages about a document. */
#ifndef TAPC_SERVER_DIAGNOSTICS_H
#define TAPC_SERVER_DIAGNOSTICS_H

#include "question.h"

/* The message textDocument/publishDiagnostics for the question's document. */
json_t *diagnostics_message(struct question *q);
/* The same with the given array; for a document that was closed, an empty one. */
json_t *diagnostics_publish(const struct document *d, json_t *list);
/* One diagnostic at the start of the document. */
json_t *diagnostics_failure(const struct document *d, const char *reason);

#endif
