/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages that tapc prints about a script, as diagnostics: errors and warnings of the same stages, with the notes
 * about the same place in their text and the others as related information. */
#include "diagnostics.h"

#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "source/diag.h"
#include "source/source.h"
#include "tools/stand_in.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2 };

struct message {
	bool is_error;
	struct span at;
	struct text text;
	VEC(struct { struct span at; const char *text; }) related;
};

struct messages {
	const struct question *question;
	struct arena *arena;
	VEC(struct message) list;
};

static bool same_place(struct span a, struct span b)
{
	return a.source->text == b.source->text && a.start == b.start && a.end == b.end;
}

/* Is AT in the document, and not in a tapset or a generated text? */
static bool is_here(const struct question *q, struct span at)
{
	return at.source->text == q->document->lines.text;
}

/* In a macro of the document, AT; in an argument or a macro of the library, its use. */
static struct span place_of(const struct question *q, struct span at)
{
	return is_here(q, at) || !is_here(q, span_written(at)) ? at : span_written(at);
}

static void take(void *data, enum diag_kind kind, struct span at, const char *text)
{
	struct messages *all = data;
	struct message *m;

	at = place_of(all->question, at);
	if (kind != DIAG_NOTE) {
		m = vec_add(all->arena, &all->list);
		m->is_error = kind == DIAG_ERROR;
		m->at = at;
		text_init(&m->text, all->arena);
		text_add(&m->text, text);
		return;
	}
	if (!all->list.n)
		return;
	m = &all->list.items[all->list.n - 1];
	if (same_place(m->at, at)) {
		text_printf(&m->text, "\n%s", text);
		return;
	}
	vec_add(all->arena, &m->related);
	m->related.items[m->related.n - 1].at = at;
	m->related.items[m->related.n - 1].text = text;
}

static json_t *range_of(struct span at)
{
	struct lines lines;
	json_t *range;

	lines_open(&lines, at.source->text, at.source->size);
	range = lines_range(&lines, at.start, at.end > at.start ? at.end : at.start + 1);
	lines_close(&lines);
	return range;
}

static json_t *location_of(const struct question *q, struct span at)
{
	const char *uri = is_here(q, at) ? q->document->uri : path_uri(q->arena, at.source->name);

	return json_pack("{s:s, s:o}", "uri", uri, "range", range_of(at));
}

/* A file or the document; texts such as those of -E have no URI. */
static bool has_location(const struct question *q, struct span at)
{
	return is_here(q, at) || at.source->name[0] != '<';
}

static json_t *related_of(const struct question *q, const struct message *m)
{
	json_t *list = json_array();

	if (!is_here(q, m->at) && has_location(q, m->at))
		json_array_append_new(list, json_pack("{s:o, s:s}", "location", location_of(q, m->at), "message",
						      "the message is about this code of the library"));
	vec_each(r, &m->related)
		if (has_location(q, r->at))
			json_array_append_new(list, json_pack("{s:o, s:s}", "location", location_of(q, r->at),
							      "message", r->text));
	return list;
}

static json_t *diagnostic(json_t *range, int severity, const char *text)
{
	return json_pack("{s:o, s:i, s:s, s:s}", "range", range, "severity", severity, "source", "tapc",
			 "message", text);
}

static json_t *diagnostic_of(const struct question *q, const struct message *m)
{
	int severity = m->is_error ? SEVERITY_ERROR : SEVERITY_WARNING;
	json_t *related = related_of(q, m), *d;

	if (is_here(q, m->at))
		d = diagnostic(range_of(m->at), severity, m->text.s);
	else
		d = diagnostic(lines_range(&q->document->lines, 0, 0), severity,
			       arena_printf(q->arena, "%s: %s", span_position(q->arena, m->at), m->text.s));
	if (json_array_size(related))
		json_object_set(d, "relatedInformation", related);
	return d;
}

/* The arguments of a script are known when it runs. What it means with stand-ins is not what the user means. */
static bool is_about_argument(const struct question *q, struct span at)
{
	const char *text = q->document->lines.text, *start, *end;
	uint32_t size = (uint32_t)q->document->lines.size;

	if (!is_here(q, at) || at.start >= size)
		return false;
	start = memrchr(text, '\n', at.start);
	start = start ? start + 1 : text;
	end = memchr(text + at.start, '\n', size - at.start);
	return stand_in_is_named(start, end ? end : text + size);
}

json_t *diagnostics_publish(const struct document *d, json_t *list)
{
	json_t *params = json_pack("{s:s, s:o}", "uri", d->uri, "diagnostics", list);

	if (d->has_version)
		json_object_set_new(params, "version", json_integer(d->version));
	return json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", "textDocument/publishDiagnostics",
			 "params", params);
}

json_t *diagnostics_message(struct question *q)
{
	struct messages all = { .question = q, .arena = q->arena };
	struct analysis a = { .name = q->document->path, .text = q->document->lines.text,
			      .size = q->document->lines.size, .depth = ANALYSIS_WHOLE,
			      .receiver = { take, &all } };
	json_t *list = json_array();

	q->analyst->analyse(q->analyst->data, &a);
	vec_each(m, &all.list)
		if (!is_about_argument(q, m->at))
			json_array_append_new(list, diagnostic_of(q, m));
	return diagnostics_publish(q->document, list);
}

json_t *diagnostics_failure(const struct document *d, const char *reason)
{
	struct arena *a = arena_open();
	json_t *list = json_array(), *message;

	json_array_append_new(list, diagnostic(lines_range(&d->lines, 0, 0), SEVERITY_ERROR,
		arena_printf(a, "tapc cannot analyze this text: %s", reason)));
	message = diagnostics_publish(d, list);
	arena_close(a);
	return message;
}
