/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request about an open document, as the functions that answer it get it. They run in a worker: they may translate,
 * and need not free anything. */
#ifndef TAPC_SERVER_QUESTION_H
#define TAPC_SERVER_QUESTION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis.h"
#include "document.h"

struct manual;

/* Error codes of JSON-RPC and of the protocol. */
enum {
	RPC_PARSE_ERROR = -32700, RPC_INVALID_REQUEST = -32600, RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602, RPC_INTERNAL_ERROR = -32603, RPC_NOT_INITIALIZED = -32002,
	RPC_REQUEST_FAILED = -32803, RPC_REQUEST_CANCELLED = -32800,
};

struct question {
	struct arena *arena;
	const struct analyst *analyst;
	const struct manual *manual;	/* of the library; NULL: it could not be read */
	const struct document *document;
	const json_t *params;
	uint32_t at;			/* the offset of params.position */
	bool markdown;			/* the editor shows it */
	int code;			/* set to fail: the code and the message of the error */
	const char *error;
};

/* Returns the result, or NULL for null or after setting an error. */
typedef json_t *answer_function(struct question *q);

#endif
