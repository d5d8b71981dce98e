/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One edit, of the whole text: editors compare, and keep the cursor. */
#include "formatting.h"

#include <string.h>

#include "base/text.h"

struct failure {
	struct arena *arena;
	const char *message;		/* the first; NULL: none */
};

static void take(void *data, enum diag_kind kind, struct span at, const char *text)
{
	struct failure *f = data;
	unsigned line, column;

	if (kind != DIAG_ERROR || f->message)
		return;
	at = span_written(at);
	source_position(at, &line, &column);
	f->message = arena_printf(f->arena, "not formatted: line %u: %s", line, text);
}

json_t *formatting_answer(struct question *q)
{
	const struct lines *lines = &q->document->lines;
	struct failure failure = { .arena = q->arena };
	struct analysis a = { .name = q->document->path, .text = lines->text, .size = lines->size,
			      .receiver = { take, &failure } };
	struct text out;

	text_init(&out, q->arena);
	if (!q->analyst->format(q->analyst->data, &a, &out)) {
		q->code = RPC_REQUEST_FAILED;
		q->error = failure.message ? failure.message : "not formatted";
		return NULL;
	}
	if (out.n == lines->size && memcmp(out.s, lines->text, out.n) == 0)
		return json_array();
	return json_pack("[{s:o, s:s#}]", "range", lines_range(lines, 0, (uint32_t)lines->size), "newText", out.s,
			 (int)out.n);
}
