/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: each file is read, parsed for its errors, formatted, and then printed, compared or replaced. */
#include "format_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "library/library.h"
#include "source/source.h"
#include "source/target_host.h"
#include "source/translation.h"
#include "staging/common/status.h"
#include "syntax/format.h"
#include "syntax/format_pieces.h"
#include "syntax/parse.h"
#include "syntax/preproc.h"

/* ---- does it parse? ---- */

static const char *no_configuration(void *data, const char *name)
{
	(void)data, (void)name;
	return NULL;
}

/* $1 is text that only the command line has. Here it is a number, or a name where only a name can be. */
static bool is_name_here(const piece_list *pieces, size_t i)
{
	int before = i ? pieces->items[i - 1].kind : TOKEN_END, after = pieces->items[i + 1].kind;

	return before == TOKEN_PROBE || before == TOKEN_DOT || before == TOKEN_ARROW || before == TOKEN_FUNCTION ||
	       before == TOKEN_GLOBAL || after == TOKEN_DOT || after == TOKEN_ASSIGN || after == TOKEN_LPAREN ||
	       after == TOKEN_LBRACKET || after == TOKEN_ARROW || after == TOKEN_INCREMENT;
}

static void set_stand_ins(struct translation *t, const piece_list *pieces)
{
	enum { MOST = 1000 };
	struct options *o = t->options;

	o->args.n = 0;
	for (size_t i = 0; i + 1 < pieces->n; i++) {
		const struct piece *p = &pieces->items[i];
		unsigned long n;

		if (p->kind != TOKEN_ARG_TEXT && p->kind != TOKEN_ARG_STRING)
			continue;
		n = strtoul(p->text + 1, NULL, 10);
		while (o->args.n < n && o->args.n < MOST)
			*vec_add(t->arena, &o->args) = "1";
		if (p->kind == TOKEN_ARG_TEXT && n && n <= MOST && is_name_here(pieces, i))
			o->args.items[n - 1] = "x";
	}
	t->used_args = NULL;
}

static bool parses(struct translation *t, struct macros *macros, struct source *s)
{
	struct preproc_target target = {
		.kernel_vr = t->target->release, .kernel_v = t->target->version, .arch = t->target->machine,
		.runtime = "kernel", .systemtap_v = SYSTEMTAP_VERSION, .privilege = "stapdev", .guru_mode = true,
		.config = no_configuration,
	};
	piece_list pieces = { 0 };

	t->errors = 0;			/* each file may have a hundred */
	if (str_ends(s->name, ".stpm"))
		return macros_add_library(macros_open(t, &target), s);
	if (!pieces_read(s, &pieces))
		return false;
	set_stand_ins(t, &pieces);
	parse_script(t, s, macros);
	return !t->errors;
}

/* ---- files ---- */

static int write_file(const struct source *s, const struct text *text)
{
	struct stat st;

	if (stat(s->name, &st) == 0 && !S_ISREG(st.st_mode)) {
		error_print("cannot rewrite %s: it is not a regular file", s->name);
		return TAP_STATUS_HOST;
	}
	if (file_rewrite(s->name, text->s, text->n))
		return TAP_STATUS_OK;
	error_print("cannot rewrite %s: %s", s->name, strerror(errno));
	return TAP_STATUS_HOST;
}

/* The number of the first line that differs */
static unsigned different_line(const struct source *s, const struct text *text)
{
	unsigned line, column;
	uint32_t at = 0;

	while (at < s->size && at < text->n && s->text[at] == text->s[at])
		at++;
	source_position((struct span){ s, at, at }, &line, &column);
	return line;
}

static int format_text(struct translation *t, struct macros *macros, struct source *s)
{
	struct text text;
	bool is_same;

	text_init(&text, t->arena);
	if (!parses(t, macros, s) || !format_source(s, &text))
		return TAP_STATUS_SCRIPT;
	is_same = text.n == s->size && memcmp(text.s, s->text, s->size) == 0;
	switch (t->options->format) {
	case FORMAT_PRINT:
		fwrite(text.s, 1, text.n, stdout);
		break;
	case FORMAT_CHECK:
		if (!is_same)
			printf("%s:%u: not formatted\n", s->name, different_line(s, &text));
		return is_same ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
	case FORMAT_WRITE:
		return is_same ? TAP_STATUS_OK : write_file(s, &text);
	case FORMAT_NOT:
		break;
	}
	return TAP_STATUS_OK;
}

static int format_file(struct translation *t, struct macros *macros, const char *path)
{
	bool is_input = str_equal(path, "-");
	size_t size;
	char *text = is_input ? fd_read(t->arena, STDIN_FILENO, &size) : file_read(t->arena, path, &size);

	if (text && size <= UINT32_MAX / 2)
		return format_text(t, macros, source_add(t, is_input ? "<stdin>" : path, text, size));
	if (text)
		error_print("the script '%s' is larger than 2 GB", path);
	else
		error_print("cannot read the script '%s': %s", path, strerror(errno));
	return TAP_STATUS_SCRIPT;
}

int format_files(struct translation *t, struct library *library)
{
	struct options *o = t->options;
	name_list files = o->args;
	int status = TAP_STATUS_OK;

	o->args = (name_list){ 0 };
	o->guru = o->no_warnings = true;
	if (o->script_text)
		return format_text(t, library->macros,
				   source_add(t, "<input>", o->script_text, strlen(o->script_text)));
	if (!files.n)
		*vec_add(t->arena, &files) = "-";
	vec_each(path, &files) {
		int one = format_file(t, library->macros, *path);

		status = one > status ? one : status;
	}
	return status;
}
