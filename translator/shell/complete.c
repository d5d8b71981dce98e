/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The server completes at the end of a document: the script so far, and what is being typed. It does that in a worker,
 * so a text that no translator survives only yields nothing. */
#include "complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "commands.h"
#include "source/options.h"
#include "syntax/lex.h"

struct proposals {
	char **names;			/* of malloc */
	size_t n, room;
	const char *before;		/* what each name begins with */
	size_t size;
};

static void add_name(struct proposals *p, char *name)
{
	if (!name)
		fatal("out of memory");
	if (p->n + 2 > p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->names = realloc(p->names, p->room * sizeof(*p->names));
		if (!p->names)
			fatal("out of memory");
	}
	p->names[p->n++] = name;
	p->names[p->n] = NULL;
}

static void propose(struct proposals *p, const char *name)
{
	if (strncmp(name, p->before, p->size) == 0)
		add_name(p, strdup(name));
}

/* ---- script text ---- */

#ifdef HAVE_JANSSON
#include "flow/view.h"
#include "server/completion.h"
#include "server/worker.h"
#include "tools/manual.h"

enum { SECONDS = 20 };

struct request {
	struct shell *shell;
	const char *before, *typed;	/* the document's last line: what it begins with, and what is being typed */
};

static json_t *answer(void *data)
{
	const struct request *r = data;
	struct shell *sh = r->shell;
	struct analyst analyst = view_open(sh->run);
	struct document document = { .path = (char *)"script" };
	struct question q = { .analyst = &analyst, .document = &document };
	struct manual manual;
	struct library library;
	struct text text;

	if (!freopen("/dev/null", "w", stderr))		/* messages would be in the line */
		return NULL;
	/* the manual's library is not the one that is translated with */
	if (!analyst.restart(analyst.data) || !analyst.open_library(analyst.data, &library))
		return NULL;
	q.manual = manual_open(&manual, analyst.arena(analyst.data), &library) ? &manual : NULL;
	q.arena = arena_open();
	text_init(&text, q.arena);
	vec_each(p, &sh->pieces)
		text_printf(&text, "%s\n", p->text);
	text_add(&text, sh->open.s);
	text_add(&text, r->before);
	text_add(&text, r->typed);
	lines_open(&document.lines, text.s, text.n);
	q.at = (uint32_t)text.n;
	return completion_answer(&q);
}

/* readline replaces the word that it sees; the server's may begin before it, or after it. */
static void propose_items(struct proposals *p, const json_t *items, size_t typed)
{
	size_t i;
	json_t *item;

	json_array_foreach(items, i, item) {
		const json_t *edit = json_object_get(item, "textEdit"), *range = json_object_get(edit, "range");
		const char *text = json_string_value(json_object_get(edit, "newText"));
		json_int_t first = json_integer_value(json_object_get(json_object_get(range, "start"), "character"));
		json_int_t end = json_integer_value(json_object_get(json_object_get(range, "end"), "character"));
		size_t replaced = (size_t)(end - first);
		char *name = NULL;

		if (!text || end < first || replaced > typed)
			continue;
		if (replaced <= p->size) {
			if (asprintf(&name, "%.*s%s", (int)(p->size - replaced), p->before, text) < 0)
				name = NULL;
		} else if (strlen(text) > replaced - p->size) {
			name = strdup(text + replaced - p->size);
		}
		if (name)
			add_name(p, name);
	}
}

static void propose_script(struct proposals *p, struct shell *sh, const char *before, const char *typed)
{
	struct request request = { sh, before, typed };
	struct worker w;
	char reason[64];
	const char *text;
	json_t *list;
	size_t size;

	w = (struct worker){ 0 };
	fflush(NULL);
	if (!worker_start(&w, SECONDS, answer, &request))
		return;
	worker_wait(&w);
	text = worker_end(&w, &size, reason);
	list = text ? json_loadb(text, size, 0, NULL) : NULL;
	propose_items(p, json_object_get(list, "items"), strlen(typed));
	json_decref(list);
	worker_forget(&w);
}
#else
static void propose_script(struct proposals *p, struct shell *sh, const char *before, const char *typed)
{
	(void)p, (void)sh, (void)before, (void)typed;
}
#endif

/* ---- commands ---- */

static void propose_commands(struct proposals *p, bool with_declarations)
{
	for (size_t i = 0; i < command_row_count; i++)
		propose(p, command_rows[i].name);
	for (enum token_kind kind = TOKEN_PROBE; with_declarations && kind <= TOKEN_FUNCTION; kind++)
		propose(p, token_text(kind));
	if (with_declarations)
		propose(p, "@define");
}

static void propose_numbers(struct proposals *p, const struct shell *sh)
{
	char number[16];

	vec_each(piece, &sh->pieces) {
		snprintf(number, sizeof(number), "%u", piece->number);
		propose(p, number);
	}
}

static void propose_options(struct proposals *p)
{
	for (size_t i = 0; i < option_row_count; i++) {
		char name[64];

		if (!*option_rows[i].name || !*option_rows[i].help)
			continue;
		snprintf(name, sizeof(name), "--%s", option_rows[i].name);
		propose(p, name);
	}
}

static void propose_argument(struct proposals *p, struct shell *sh, const struct command_row *c, const char *rest,
			     enum line_kind *kind)
{
	switch (c->kind) {
	case ARGUMENT_PIECE:
		propose_numbers(p, sh);
		if (strchr(rest, ' '))
			propose_script(p, sh, "", strchr(rest, ' ') + 1);
		break;
	case ARGUMENT_TEXT:
		propose_script(p, sh, "", rest);
		break;
	case ARGUMENT_EXPRESSION:
		propose_script(p, sh, "probe begin { ", rest);
		break;
	case ARGUMENT_WORD:
		propose_commands(p, false);
		propose_script(p, sh, "probe begin { ", rest);
		propose_script(p, sh, "probe ", rest);
		break;
	case ARGUMENT_FILE:
		*kind = LINE_FILES;
		break;
	case ARGUMENT_OPTION:
		propose_options(p);
		break;
	case ARGUMENT_NONE: case ARGUMENT_OTHER:
		break;
	}
}

char **complete(void *data, const char *line, size_t start, size_t end, enum line_kind *kind)
{
	struct shell *sh = data;
	struct proposals p = { .before = line + start, .size = end - start };
	_cleanup_free_ char *typed = strndup(line, end);
	const struct command_row *c;
	const char *rest;

	if (!typed)
		fatal("out of memory");
	c = sh->open.n ? NULL : command_find(typed, &rest);
	if (c && rest > typed + strlen(c->name))
		propose_argument(&p, sh, c, rest, kind);
	else if (!sh->open.n && strspn(typed, " \t") == start)
		propose_commands(&p, true), *kind = LINE_WORDS;
	else
		propose_script(&p, sh, "", typed);
	return p.names;
}
