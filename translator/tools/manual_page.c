/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual as man pages, in groff's man macros: man(7). */
#include "manual_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "manual.h"
#include "base/text.h"
#include "base/util.h"

/* ---- text ---- */

/* Escape text that groff would interpret: backslashes, and a dot or quote at the start of a line. */
static void add_line(struct text *t, const char *s, size_t n)
{
	if (n && strchr(".'", *s))
		text_add(t, "\\&");
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\\')
			text_add(t, "\\e");
		else if (s[i] == '-')
			text_add(t, "\\-");
		else
			text_char(t, s[i]);
	}
	text_char(t, '\n');
}

void page_line(struct text *t, const char *s)
{
	add_line(t, s, strlen(s));
}

/* "@argument: what it is", and its continuation lines. */
static void add_argument(struct text *t, const char *line, size_t n)
{
	const char *colon = memchr(line, ':', n);
	size_t name = colon ? (size_t)(colon - line) : n;

	text_add(t, ".TP\n.I ");
	add_line(t, line + 1, name - 1);
	if (colon)
		add_line(t, colon + 2 > line + n ? line + n : colon + 2,
			 colon + 2 > line + n ? 0 : n - name - 2);
}

/* Paragraphs; indented lines are code. */
void page_body(struct text *t, const char *p)
{
	bool code = false;

	while (*p) {
		size_t n = strcspn(p, "\n");
		bool is_code = n && (*p == ' ' || *p == '\t');

		if (code && n && !is_code)
			text_add(t, ".EE\n");
		if (!code && is_code)
			text_add(t, ".EX\n");
		code = n ? is_code : code;
		if (!n)
			text_add(t, code ? "\n" : ".PP\n");
		else if (*p == '@')
			add_argument(t, p, n);
		else
			add_line(t, p, n);
		p += n + 1;
	}
	if (code)
		text_add(t, ".EE\n");
}

static void page_start(struct text *t, struct arena *a, const char *name, const char *what)
{
	text_init(t, a);
	text_printf(t, ".\\\" made from the comments in the tapset files\n.TH %s 3tap \"\" \"tapc %s\" \"tapc\"\n"
		       ".SH NAME\n%s \\- %s\n", name, PACKAGE_VERSION, name, what);
}

static bool page_write(const struct text *t, const char *dir, const char *name)
{
	const char *path = arena_printf(t->arena, "%s/%s.3tap", dir, name);

	if (file_write(path, t->s, t->n))
		return true;
	error_print("cannot write '%s': %s", path, strerror(errno));
	return false;
}

/* ---- pages ---- */

static void add_text(const struct manual *m, struct text *t, const struct manual_text *text)
{
	vec_each(e, &m->entries) {
		if (e->text != text)
			continue;
		text_add(t, ".br\n.B ");
		page_line(t, e->declaration);
	}
	text_add(t, ".RS 4\n");
	page_line(t, text->summary);
	if (*text->body)
		text_add(t, ".PP\n");
	page_body(t, text->body);
	text_add(t, ".RE\n.PP\n");
}

static bool write_subject(const struct manual *m, const char *dir, const char *subject)
{
	const char *name = arena_printf(m->arena, "tapset-%s", subject);
	struct text t;

	page_start(&t, m->arena, name, arena_printf(m->arena, "functions and probes of tapc, tapsets/%s.stp",
						    subject));
	text_add(&t, ".SH DESCRIPTION\n");
	vec_each(text, &m->texts)
		if (str_equal((*text)->subject, subject) && (*text)->declared)
			add_text(m, &t, *text);
	text_add(&t, ".SH SEE ALSO\n.BR tapc (1),\n.BR tapfuncs (3tap),\n.BR tapprobes (3tap)\n");
	return page_write(&t, dir, name);
}

static bool write_subjects(const struct manual *m, const char *dir)
{
	name_list done = { 0 };
	bool good = true;

	vec_each(text, &m->texts) {
		bool is_new = (*text)->declared > 0;

		vec_each(name, &done)
			is_new = is_new && !str_equal(*name, (*text)->subject);
		if (!is_new)
			continue;
		*vec_add(m->arena, &done) = (*text)->subject;
		good = write_subject(m, dir, (*text)->subject) && good;
	}
	return good;
}

static bool write_index(const struct manual *m, const char *dir, bool functions)
{
	const char *name = functions ? "tapfuncs" : "tapprobes";
	struct text t;

	page_start(&t, m->arena, name, functions ? "the functions of tapc's tapset library" :
						    "the probe points of tapc");
	text_add(&t, ".SH DESCRIPTION\n");
	vec_each(e, &m->entries) {
		if ((e->kind == MANUAL_FUNCTION) != functions)
			continue;
		text_add(&t, ".TP\n.B ");
		page_line(&t, e->kind == MANUAL_ALIAS ? e->name : e->declaration);
		if (e->kind == MANUAL_POINT)
			page_line(&t, e->summary);
		else
			page_line(&t, arena_printf(m->arena, "%s (tapset-%s)", e->summary, e->subject));
	}
	text_add(&t, ".SH SEE ALSO\n.BR tapc (1)\n");
	return page_write(&t, dir, name);
}

bool manual_pages(const struct manual *m, const char *dir)
{
	if (!dir_make(dir, 0777)) {
		error_print("cannot create the directory '%s': %s", dir, strerror(errno));
		return false;
	}
	return write_subjects(m, dir) && write_index(m, dir, true) && write_index(m, dir, false);
}
