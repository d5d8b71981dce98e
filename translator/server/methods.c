/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests about documents are answered in workers, all others here. What does not follow the protocol gets its
 * errors, and changes nothing. */
#include "methods.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "completion.h"
#include "definition.h"
#include "diagnostics.h"
#include "formatting.h"
#include "hover.h"
#include "outline.h"
#include "rename.h"

enum { REQUEST_SECONDS = 20, DIAGNOSE_SECONDS = 60, MOST_DIAGNOSING = 2 };

/* ---- messages ---- */

static void send_json(struct session *s, json_t *message)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

	if (text)			/* jansson refuses text that is not UTF-8, which no message should have */
		wire_send(&s->wire, text, strlen(text));
	free(text);
	json_decref(message);
}

static json_t *result_message(json_t *id, json_t *result)
{
	return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result ? result : json_null());
}

static json_t *error_message(json_t *id, int code, const char *text)
{
	return json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id ? json_incref(id) : json_null(),
			 "error", "code", code, "message", text);
}

void methods_refuse(struct session *s, int code, const char *text)
{
	send_json(s, error_message(NULL, code, text));
}

/* ---- workers ---- */

static struct worker *find_unused(struct session *s)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (!s->workers[i].pid)
			return &s->workers[i];
	return NULL;
}

static struct worker *find_diagnosing(struct session *s, const char *uri)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (s->workers[i].pid && s->workers[i].uri && str_equal(s->workers[i].uri, uri))
			return &s->workers[i];
	return NULL;
}

static struct worker *find_request(struct session *s, const json_t *id)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (s->workers[i].pid && s->workers[i].id && json_equal(s->workers[i].id, id))
			return &s->workers[i];
	return NULL;
}

static void drop(struct worker *w)
{
	char reason[64];
	size_t size;

	worker_end(w, &size, reason);
	worker_forget(w);
}

static void send_failure(struct session *s, const struct worker *w, const char *reason)
{
	struct document *d = w->uri ? document_find(s->documents, w->uri) : NULL;
	char text[128];

	snprintf(text, sizeof(text), "the translator has failed: %s", reason);
	if (w->id)
		send_json(s, error_message(w->id, RPC_INTERNAL_ERROR, text));
	else if (d)
		send_json(s, diagnostics_failure(d, reason));
}

void methods_finish(struct session *s, struct worker *w)
{
	char reason[64];
	size_t size;
	const char *text = worker_end(w, &size, reason);

	if (text && size && w->is_trial)
		knowledge_warm(s->analyst);
	else if (text && size)
		wire_send(&s->wire, text, size);
	else if (!w->is_trial)
		send_failure(s, w, reason);
	worker_forget(w);
}

void methods_read_ahead(struct session *s)
{
	struct worker *w = s->state == SESSION_OPEN && !s->knowledge.is_tried ? find_unused(s) : NULL;

	if (w)
		knowledge_try(&s->knowledge, s->analyst, w);
}

/* ---- diagnostics ---- */

struct job {
	struct question question;
	answer_function *answer;
	json_t *id;
};

static struct question question_of(struct session *s, const struct document *d, const json_t *params)
{
	return (struct question){ .analyst = s->analyst, .document = d, .params = params, .markdown = s->markdown,
				  .manual = s->knowledge.is_read ? &s->knowledge.manual : NULL };
}

static json_t *diagnose(void *data)
{
	struct job *job = data;

	job->question.arena = arena_open();
	return diagnostics_message(&job->question);
}

bool methods_diagnose(struct session *s, struct document *d)
{
	struct job job = { .question = question_of(s, d, NULL) };
	struct worker *w = find_unused(s), started;
	int running = 0;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		running += s->workers[i].pid && s->workers[i].uri;
	if (!w || running >= MOST_DIAGNOSING)
		return false;
	d->is_dirty = false;
	if (!worker_start(&started, DIAGNOSE_SECONDS, diagnose, &job)) {
		send_json(s, diagnostics_failure(d, "no process can be started"));
		return true;
	}
	*w = started;
	w->uri = strdup(d->uri);
	return true;
}

/* What it found is about an older text. */
static void stop_diagnosing(struct session *s, const struct document *d)
{
	struct worker *w = find_diagnosing(s, d->uri);

	if (w)
		drop(w);
}

/* ---- notifications ---- */

static const char *uri_of(const json_t *params)
{
	return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static void set_version(struct document *d, const json_t *params)
{
	json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");

	d->has_version = json_is_integer(version);
	d->version = json_integer_value(version);
}

static void did_open(struct session *s, const json_t *params)
{
	json_t *text = json_object_get(json_object_get(params, "textDocument"), "text");
	struct document *d;

	if (!uri_of(params) || !json_is_string(text))
		return;
	d = document_open(&s->documents, uri_of(params));
	stop_diagnosing(s, d);
	document_set(d, json_string_value(text), json_string_length(text));
	d->changed.tv_sec = 0;		/* diagnose it at once */
	set_version(d, params);
}

static struct document *document_of(struct session *s, const json_t *params)
{
	return uri_of(params) ? document_find(s->documents, uri_of(params)) : NULL;
}

static void did_change(struct session *s, const json_t *params)
{
	struct document *d = document_of(s, params);
	json_t *change;
	size_t i;

	if (!d)
		return;
	stop_diagnosing(s, d);
	json_array_foreach(json_object_get(params, "contentChanges"), i, change)
		if (!document_change(d, change)) {
			error_print("%s: a change that the editor sent is not valid", d->path);
			break;
		}
	set_version(d, params);
}

static void did_close(struct session *s, const json_t *params)
{
	struct document *d = document_of(s, params);

	if (!d)
		return;
	stop_diagnosing(s, d);
	d->has_version = false;
	send_json(s, diagnostics_publish(d, json_array()));
	document_close(&s->documents, d);
}

/* A tapset has been changed: other documents may use it. */
static void did_save(struct session *s, const json_t *params)
{
	struct document *d = document_of(s, params);

	if (!d || !knowledge_needs(&s->knowledge, d->path))
		return;
	knowledge_read(&s->knowledge, s->analyst);
	for (d = s->documents; d; d = d->next)
		d->is_dirty = true;
}

static void cancel(struct session *s, const json_t *params)
{
	struct worker *w = find_request(s, json_object_get(params, "id"));

	if (!w)
		return;			/* answered, or never asked */
	send_json(s, error_message(w->id, RPC_REQUEST_CANCELLED, "cancelled"));
	drop(w);
}

static void leave(struct session *s, const json_t *params)
{
	(void)params;
	s->ended_well = s->state == SESSION_SHUT_DOWN;
	s->state = SESSION_ENDED;
}

static const struct notification {
	const char *method;
	void (*act)(struct session *s, const json_t *params);
} notifications[] = {
	{ "textDocument/didOpen", did_open }, { "textDocument/didChange", did_change },
	{ "textDocument/didClose", did_close }, { "textDocument/didSave", did_save }, { "$/cancelRequest", cancel },
	{ "exit", leave },
};

static void notify(struct session *s, const char *method, const json_t *params)
{
	for (size_t i = 0; i < ARRAY_SIZE(notifications); i++)
		if (str_equal(notifications[i].method, method) &&
		    (s->state == SESSION_OPEN || notifications[i].act == leave))
			notifications[i].act(s, params);
}

/* ---- requests ---- */

static json_t *initialize(struct session *s, const json_t *params)
{
	json_t *formats, *format;
	size_t i;

	s->state = SESSION_OPEN;
	formats = json_object_get(json_object_get(json_object_get(json_object_get(params, "capabilities"),
		"textDocument"), "hover"), "contentFormat");
	json_array_foreach(formats, i, format)
		s->markdown |= json_is_string(format) && str_equal(json_string_value(format), "markdown");
	knowledge_read(&s->knowledge, s->analyst);
	return json_pack("{s:{s:s, s:{s:b, s:i, s:{s:b}}, s:{s:[s, s, s, s, s], s:b}, s:b, s:b, s:b, s:b, s:b, s:b, "
			 "s:{s:b}}, s:{s:s, s:s}}",
		"capabilities",
			"positionEncoding", "utf-16",
			"textDocumentSync", "openClose", 1, "change", 2, "save", "includeText", 0,
			"completionProvider", "triggerCharacters", ".", "$", "@", ">", "\"", "resolveProvider", 1,
			"hoverProvider", 1, "definitionProvider", 1, "documentSymbolProvider", 1,
			"documentFormattingProvider", 1, "referencesProvider", 1, "documentHighlightProvider", 1,
			"renameProvider", "prepareProvider", 1,
		"serverInfo", "name", "tapc", "version", PACKAGE_VERSION);
}

static json_t *shut_down(struct session *s, const json_t *params)
{
	(void)params;
	s->state = SESSION_SHUT_DOWN;
	return NULL;
}

enum needs { NEEDS_NOTHING, NEEDS_DOCUMENT, NEEDS_POSITION };

static const struct request {
	const char *method;
	json_t *(*act)(struct session *s, const json_t *params);	/* here, or: */
	answer_function *answer;					/* in a worker */
	enum needs needs;
} requests[] = {
	{ "initialize", initialize, NULL, NEEDS_NOTHING },
	{ "shutdown", shut_down, NULL, NEEDS_NOTHING },
	{ "textDocument/completion", NULL, completion_answer, NEEDS_POSITION },
	{ "completionItem/resolve", NULL, completion_resolve, NEEDS_NOTHING },
	{ "textDocument/hover", NULL, hover_answer, NEEDS_POSITION },
	{ "textDocument/definition", NULL, definition_answer, NEEDS_POSITION },
	{ "textDocument/references", NULL, references_answer, NEEDS_POSITION },
	{ "textDocument/documentHighlight", NULL, highlight_answer, NEEDS_POSITION },
	{ "textDocument/prepareRename", NULL, prepare_rename_answer, NEEDS_POSITION },
	{ "textDocument/rename", NULL, rename_answer, NEEDS_POSITION },
	{ "textDocument/documentSymbol", NULL, outline_answer, NEEDS_DOCUMENT },
	{ "textDocument/formatting", NULL, formatting_answer, NEEDS_DOCUMENT },
};

static json_t *answer(void *data)
{
	struct job *job = data;
	struct question *q = &job->question;
	json_t *result;

	q->arena = arena_open();
	result = job->answer(q);
	return q->error ? error_message(job->id, q->code, q->error) : result_message(job->id, result);
}

static void ask_worker(struct session *s, const struct request *r, json_t *id, const json_t *params)
{
	struct job job = { question_of(s, document_of(s, params), params), r->answer, id };
	struct worker *w = find_unused(s), started;

	if (r->needs != NEEDS_NOTHING && !job.question.document)
		send_json(s, error_message(id, RPC_INVALID_PARAMS, "params.textDocument.uri is not an open document"));
	else if (r->needs == NEEDS_POSITION &&
		 !lines_offset(&job.question.document->lines, json_object_get(params, "position"), &job.question.at))
		send_json(s, error_message(id, RPC_INVALID_PARAMS, "params.position is not a position"));
	else if (!w || !worker_start(&started, REQUEST_SECONDS, answer, &job))
		send_json(s, error_message(id, RPC_INTERNAL_ERROR, "no process can be started"));
	else {
		*w = started;
		w->id = json_incref(id);
	}
}

static const struct request *find_method(const char *method)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		if (str_equal(requests[i].method, method))
			return &requests[i];
	return NULL;
}

static void request(struct session *s, json_t *id, const char *method, const json_t *params)
{
	const struct request *r = find_method(method);

	if (s->state == SESSION_NEW && !str_equal(method, "initialize"))
		send_json(s, error_message(id, RPC_NOT_INITIALIZED, "the first request must be initialize"));
	else if (s->state == SESSION_OPEN && str_equal(method, "initialize"))
		send_json(s, error_message(id, RPC_INVALID_REQUEST, "initialize was sent before"));
	else if (s->state == SESSION_SHUT_DOWN)
		send_json(s, error_message(id, RPC_INVALID_REQUEST, "the server is shut down"));
	else if (!r)
		send_json(s, error_message(id, RPC_METHOD_NOT_FOUND, "the method is not known"));
	else if (r->act)
		send_json(s, result_message(id, r->act(s, params)));
	else
		ask_worker(s, r, id, params);
}

/* Ours are never requests, so answers are to nothing. */
static bool is_response(const json_t *message)
{
	return json_object_get(message, "id") && !json_object_get(message, "method") &&
	       (json_object_get(message, "result") || json_object_get(message, "error"));
}

static void act_on(struct session *s, const json_t *message)
{
	json_t *version = json_object_get(message, "jsonrpc"), *id = json_object_get(message, "id");
	json_t *method = json_object_get(message, "method"), *params = json_object_get(message, "params");

	if (json_is_null(params))	/* as Eglot sends it */
		params = NULL;
	if (is_response(message))
		return;
	if (!json_is_string(version) || !str_equal(json_string_value(version), "2.0") || !json_is_string(method) ||
	    (id && !json_is_integer(id) && !json_is_string(id)) ||
	    (params && !json_is_object(params) && !json_is_array(params)))
		send_json(s, error_message(json_is_integer(id) || json_is_string(id) ? id : NULL, RPC_INVALID_REQUEST,
					   "not a request of JSON-RPC 2.0"));
	else if (id)
		request(s, id, json_string_value(method), params);
	else
		notify(s, json_string_value(method), params);
}

void methods_receive(struct session *s, const char *text, size_t size)
{
	json_error_t error;
	json_t *message = json_loadb(text, size, JSON_ALLOW_NUL, &error);
	char why[sizeof(error.text) + 32];

	if (message) {
		act_on(s, message);
		json_decref(message);
		return;
	}
	snprintf(why, sizeof(why), "not JSON: %s, at byte %d", error.text, error.position);
	methods_refuse(s, RPC_PARSE_ERROR, why);
}
