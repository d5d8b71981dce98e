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
#include "source/diag.h"
#include "source/options.h"
#include "source/target_host.h"
#include "staging/common/status.h"
#include "syntax/format.h"
#include "syntax/format_pieces.h"
#include "syntax/parse.h"
#include "stand_in.h"
#include "syntax/preproc.h"

/* ---- does it parse? ---- */

static const char *no_configuration(void *data, const char *name)
{
	(void)data, (void)name;
	return NULL;
}

/* What is needed to check a script before it is formatted. */
struct format_run {
	struct options *options;	/* with arguments in place of the script's */
	const struct target_host *host;
	struct diag *diag;
	struct macros *macros;
};

static bool parses(struct format_run *r, struct source *s)
{
	struct preproc_setup setup = *macros_setup(r->macros);
	struct preproc_target target = {
		.kernel_vr = r->host->release, .kernel_v = r->host->version, .arch = r->host->machine,
		.runtime = "kernel", .systemtap_v = SYSTEMTAP_VERSION, .privilege = "stapdev", .guru_mode = true,
		.config = no_configuration,
	};
	piece_list pieces = { 0 };

	r->diag->errors = 0;			/* each file may have a hundred */
	setup.target = target;
	if (str_ends(s->name, ".stpm"))
		return macros_add_library(macros_open(&setup), s);
	if (!pieces_read(s, r->diag->arena, &pieces))
		return false;
	stand_ins_set(r->options, r->diag->arena, &pieces);
	parse_script(s, r->macros);
	return !r->diag->errors;
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

static int format_text(struct format_run *r, struct source *s)
{
	struct text text;
	bool is_same;

	text_init(&text, r->diag->arena);
	if (!parses(r, s) || !format_source(s, &text))
		return TAP_STATUS_SCRIPT;
	is_same = text.n == s->size && memcmp(text.s, s->text, s->size) == 0;
	switch (r->options->format) {
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

static int format_file(struct format_run *r, const char *path)
{
	bool is_input = str_equal(path, "-");
	size_t size = r->options->input_size;
	const char *text = !is_input ? file_read(r->diag->arena, path, &size) : r->options->input ? r->options->input :
			   fd_read(r->diag->arena, STDIN_FILENO, &size);

	if (text && size <= UINT32_MAX / 2)
		return format_text(r, source_add(r->diag, is_input ? "<stdin>" : path, text, size));
	if (text)
		error_print("the script '%s' is larger than 2 GB", path);
	else
		error_print("cannot read the script '%s': %s", path, strerror(errno));
	return TAP_STATUS_SCRIPT;
}

static void allow_all(struct options *o)
{
	o->args = (name_list){ 0 };
	o->guru = o->no_warnings = true;
}

bool format_script(struct options *o, const struct target_host *host, struct library *library, struct source *s,
		   struct text *out)
{
	struct format_run r = { o, host, library->diag, library->macros };

	allow_all(o);
	return parses(&r, s) && format_source(s, out);
}

int format_files(struct options *o, const struct target_host *host, struct library *library)
{
	struct format_run r = { o, host, library->diag, library->macros };
	name_list files = o->args;
	int status = TAP_STATUS_OK;

	allow_all(o);
	if (o->script_text)
		return format_text(&r, source_add(r.diag, "<input>", o->script_text, strlen(o->script_text)));
	if (!files.n)
		*vec_add(r.diag->arena, &files) = "-";
	vec_each(path, &files) {
		int one = format_file(&r, *path);

		status = one > status ? one : status;
	}
	return status;
}
