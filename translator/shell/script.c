/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "script.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "child.h"
#include "cut.h"
#include "meaning/infer.h"
#include "session.h"
#include "staging/common/status.h"

/* ---- translation ---- */

/* A script that only defines functions and aliases is checked as far as that is possible. Warnings are for the whole
 * script, when it runs. */
static int check(struct shell *sh, struct run *r, void *data)
{
	(void)sh;
	child_take_pieces(r, data, true);
	r->options.no_warnings = true;
	r->options.warnings_are_errors = false;
	r->options.last_pass = 2;
	if (!run_parse(r))
		return TAP_STATUS_SCRIPT;
	r->options.list_variables = !r->script->probes.n;
	if (!run_resolve(r))
		return TAP_STATUS_SCRIPT;
	if (r->options.list_variables)
		infer_types(&r->translation, &r->program);
	return r->translation.diag.errors ? TAP_STATUS_SCRIPT : TAP_STATUS_OK;
}

static bool take(struct shell *sh, const piece_list *pieces)
{
	int status = pieces->n ? session_await(sh, check, (void *)pieces) : TAP_STATUS_OK;

	if (status == TAP_STATUS_OK)
		sh->pieces = *pieces;
	else if (!sh->status)
		sh->status = status;
	return status == TAP_STATUS_OK;
}

/* ---- changes ---- */

static bool is_probe(const char *text)
{
	struct arena *a = arena_open();
	struct cut c;
	bool yes;

	cut_text(&c, a, text, strlen(text));
	yes = c.is_probe;
	arena_close(a);
	return yes;
}

static void set_text(struct shell *sh, struct piece *p, const char *text)
{
	p->text = text;
	p->is_probe = is_probe(text);
	p->source = p->changes ? arena_printf(sh->arena, "#%u/%u", p->number, p->changes + 1) :
				 arena_printf(sh->arena, "#%u", p->number);
}

static piece_list copy(const struct shell *sh)
{
	piece_list pieces = { 0 };

	vec_each(p, &sh->pieces)
		*vec_add(sh->arena, &pieces) = *p;
	return pieces;
}

static void add_new(struct shell *sh, piece_list *pieces, const struct cut *added, size_t first, unsigned *last)
{
	for (size_t i = first; i < added->pieces.n; i++) {
		struct piece *p = vec_add(sh->arena, pieces);

		*p = (struct piece){ .number = ++*last };
		set_text(sh, p, added->pieces.items[i]);
	}
}

struct piece *script_find(const piece_list *pieces, unsigned number)
{
	vec_each(p, pieces)
		if (p->number == number)
			return p;
	return NULL;
}

bool script_add(struct shell *sh, const struct cut *added)
{
	piece_list pieces = copy(sh);
	unsigned last = sh->last_number;

	add_new(sh, &pieces, added, 0, &last);
	if (!take(sh, &pieces))
		return false;
	sh->last_number = last;
	return true;
}

bool script_change(struct shell *sh, unsigned number, const struct cut *changed)
{
	piece_list pieces = copy(sh);
	struct piece *p = script_find(&pieces, number);
	unsigned last = sh->last_number;

	p->changes++;
	set_text(sh, p, changed->pieces.items[0]);
	add_new(sh, &pieces, changed, 1, &last);
	if (!take(sh, &pieces))
		return false;
	sh->last_number = last;
	return true;
}

bool script_delete(struct shell *sh, const bool *wanted)
{
	piece_list pieces = { 0 };

	vec_each(p, &sh->pieces)
		if (!wanted[p->number])
			*vec_add(sh->arena, &pieces) = *p;
	return take(sh, &pieces);
}

/* ---- as text ---- */

/* The lines of TEXT, the first one after FIRST, the others after BEFORE. */
static void add_lines(struct text *out, const char *text, const char *first, const char *before)
{
	const char *lead = first;

	for (;;) {
		size_t n = strcspn(text, "\n");

		text_printf(out, "%s%.*s\n", lead, (int)n, text);
		if (!text[n])
			return;
		text += n + 1;
		lead = before;
	}
}

void script_list(const struct shell *sh, const bool *wanted)
{
	vec_each(p, &sh->pieces) {
		char first[32];
		struct text out;

		if (wanted && !wanted[p->number])
			continue;
		snprintf(first, sizeof(first), "%3u %-4s", p->number, p->is_off ? "off" : "");
		text_init(&out, sh->arena);
		add_lines(&out, p->text, first, "        ");
		fputs(out.s, stdout);
	}
}

const char *script_text(struct shell *sh)
{
	struct text out;

	text_init(&out, sh->arena);
	vec_each(p, &sh->pieces) {
		const char *before = p->is_off ? "# " : "";

		if (p->is_off)
			text_add(&out, "# switched off:\n");
		add_lines(&out, p->text, before, before);
	}
	return out.s;
}
