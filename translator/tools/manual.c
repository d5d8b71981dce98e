/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual of the tapset files: their comments, joined with the declarations through the names in
 * the first line of each comment. */
#include "manual.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points/family.h"
#include "library/library.h"
#include "list.h"
#include "source/source.h"
#include "base/text.h"
#include "base/util.h"
#include "syntax/print.h"
#include "manual_word.h"

/* ---- comments ---- */

/* The subject of ".../tapsets/vfs.stp": "vfs". */
static const char *subject_of(struct arena *a, const struct source *s)
{
	const char *base = path_base(s->name);

	return arena_strndup(a, base, strcspn(base, "."));
}

/* The lines of a comment without " * "; ends with a newline. */
static char *bare_lines(struct arena *a, const char *p, const char *end)
{
	struct text t;

	text_init(&t, a);
	while (p < end) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));
		size_t n;

		if (!line_end)
			line_end = end;
		while (p < line_end && isspace((unsigned char)*p))
			p++;
		if (p < line_end && *p == '*')
			p++;
		if (p < line_end && *p == ' ')
			p++;
		for (n = (size_t)(line_end - p); n && isspace((unsigned char)p[n - 1]);)
			n--;
		text_add_n(&t, p, n);
		text_char(&t, '\n');
		p = line_end + 1;
	}
	return t.s;
}

/* Take the first paragraph, up to an argument or an empty line, as one line. Returns the rest. */
static const char *take_heading(struct arena *a, const char *lines, char **heading)
{
	struct text t;

	text_init(&t, a);
	while (*lines == '\n')
		lines++;
	while (*lines && *lines != '\n' && *lines != '@') {
		size_t n = strcspn(lines, "\n");

		if (t.n)
			text_char(&t, ' ');
		text_add_n(&t, lines, n);
		lines += n + (lines[n] == '\n');
	}
	while (*lines == '\n')
		lines++;
	*heading = t.s;
	return lines;
}

static void add_comment(struct manual *m, const struct source *s, const char *from, const char *end)
{
	struct manual_text *text = arena_new(m->arena, struct manual_text);
	char *heading, *dash;

	text->body = take_heading(m->arena, bare_lines(m->arena, from, end), &heading);
	text->subject = subject_of(m->arena, s);
	text->source = s;
	text->at = (size_t)(from - s->text);
	dash = strstr(heading, " - ");
	if (!dash)
		return;		/* not a comment of the manual */
	*dash = '\0';
	text->summary = dash + 3;
	for (char *name, *rest = heading; (name = strtok_r(rest, ", ", &rest));)
		*vec_add(m->arena, &text->names) = name;
	*vec_add(m->arena, &m->texts) = text;
}

/* Take the comments of a file that start at the beginning of a line: others are inside embedded C. */
static void add_comments(struct manual *m, const struct source *s)
{
	const char *p = s->text;

	while ((p = strstr(p, "/**\n"))) {
		const char *end = strstr(p, "*/");

		if (!end)
			return;
		if (p == s->text || p[-1] == '\n')
			add_comment(m, s, p + strlen("/**\n"), end);
		p = end;
	}
}

/* The comment that names it; else one whose wildcard matches; else the one above it. */
static struct manual_text *find_text(const struct manual *m, struct span at, const char *name)
{
	struct manual_text *fits = NULL, *above = NULL;

	vec_each(text, &m->texts) {
		if ((*text)->source != at.source)
			continue;
		if ((*text)->at < at.start)
			above = *text;
		vec_each(n, &(*text)->names) {
			if (str_equal(*n, name))
				return *text;
			if (is_glob(*n) && glob_match(*n, name))
				fits = *text;
		}
	}
	return fits ? fits : above;
}

/* ---- declarations ---- */

static void add_entry(struct manual *m, enum manual_kind kind, const char *name, const char *declaration,
		      struct span at)
{
	struct span written = span_written(at);
	struct manual_text *text = find_text(m, written, name);

	*vec_add(m->arena, &m->entries) = (struct manual_entry){ kind, name, declaration,
		text ? text->summary : "", subject_of(m->arena, written.source), text };
	if (text)
		text->declared++;
}

/* By convention these names are private to their tapset. */
static bool is_internal(const char *name)
{
	return str_starts(name, "_");
}

static void add_functions(struct manual *m, const struct script *s)
{
	vec_each(f, &s->functions)
		if (!(*f)->is_private && !is_internal((*f)->name))
			add_entry(m, MANUAL_FUNCTION, (*f)->name, arena_printf(m->arena, "function %s",
				  list_function_line(m->arena, *f)), (*f)->span);
}

/* The components of "timer.ms(number)" or "kernel.function("f")?" without arguments. */
static const char *words_of(struct arena *a, const char *point)
{
	struct text t;
	int depth = 0;

	text_init(&t, a);
	for (; *point; point++) {
		depth += *point == '(';
		if (!depth && !strchr("?!", *point))
			text_char(&t, *point);
		depth -= *point == ')';
	}
	return t.s;
}

static void add_aliases(struct manual *m, const struct script *s)
{
	vec_each(alias, &s->aliases) {
		vec_each(name, &(*alias)->names) {
			const char *point = point_text(m->arena, *name), *words = words_of(m->arena, point);

			if (!is_internal(words))
				add_entry(m, MANUAL_ALIAS, words, arena_printf(m->arena, "probe %s", point),
					  (*alias)->span);
		}
	}
}

static void add_families(struct manual *m)
{
	for (size_t i = 0; families[i]; i++)
		for (const struct point_shape *s = families[i]->shapes; s->text; s++)
			*vec_add(m->arena, &m->entries) = (struct manual_entry){ MANUAL_POINT,
				words_of(m->arena, s->text), s->text, s->help ? s->help : "",
				families[i]->name, NULL };
}

static int compare_entries(const void *a, const void *b)
{
	const struct manual_entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->declaration, y->declaration);
}

/* Of entries with the same name and declaration only one is kept: conditional compilation may
 * define an alias twice. */
static void sort_entries(struct manual *m)
{
	size_t kept = 0;

	if (m->entries.n)
		qsort(m->entries.items, m->entries.n, sizeof(*m->entries.items), compare_entries);
	for (size_t i = 0; i < m->entries.n; i++)
		if (!kept || compare_entries(&m->entries.items[kept - 1], &m->entries.items[i]))
			m->entries.items[kept++] = m->entries.items[i];
	m->entries.n = kept;
}

bool manual_open(struct manual *m, struct arena *a, struct library *lib)
{
	bool good;

	*m = (struct manual){ .arena = a, .macros = lib->macros };
	good = library_read_all(lib);
	vec_each(s, &lib->scripts)
		if ((*s)->source->is_library)
			add_comments(m, (*s)->source);
	vec_each(s, &lib->scripts) {
		if (!(*s)->source->is_library)
			continue;
		add_functions(m, *s);
		add_aliases(m, *s);
	}
	add_families(m);
	sort_entries(m);
	return good;
}

/* ---- on the terminal ---- */

static void add_entry_text(struct text *t, const struct manual_entry *e)
{
	text_printf(t, "%s\n    %s\n", e->declaration, *e->summary ? e->summary : "(no description)");
	if (!e->text)
		return;
	if (*e->text->body)
		text_char(t, '\n');
	for (const char *p = e->text->body; *p;) {
		size_t n = strcspn(p, "\n");

		text_printf(t, "%s%.*s\n", n && *p != '@' ? "    " : "", (int)n, p);
		p += n + 1;
	}
}

static bool is_wanted(const struct manual_entry *e, const char *name, bool exactly)
{
	size_t n = strlen(name);

	if (exactly)
		return str_equal(e->name, name);
	return is_glob(name) ? glob_match(name, e->name) :
	       e->kind != MANUAL_FUNCTION && str_starts(e->name, name) && e->name[n] == '.';
}

/* Several entries of one text are printed together: overloads, variants of a point. */
static size_t add_wanted(struct text *t, const struct manual *m, bool functions, const char *name, bool exactly)
{
	const struct manual_text *last = NULL;
	size_t found = 0;

	vec_each(e, &m->entries) {
		if ((e->kind == MANUAL_FUNCTION) != functions || !is_wanted(e, name, exactly))
			continue;
		if (!exactly)
			text_printf(t, "%-40s %s\n", e->kind == MANUAL_POINT ? e->declaration : e->name, e->summary);
		else if (found && e->text && e->text == last)
			text_printf(t, "%s\n", e->declaration);
		else
			add_entry_text(t, e);
		last = e->text;
		found++;
	}
	return found;
}

/* NAME is one of many that match a point like "syscall.*": its variables are not in the manual, but
 * come from the kernel. */
static size_t add_fitting(struct text *t, const struct manual *m, const char *name)
{
	size_t found = 0;

	vec_each(e, &m->entries)
		if (e->kind == MANUAL_POINT && is_glob(e->name) && glob_match(e->name, name)) {
			add_entry_text(t, e);
			found++;
		}
	if (found)
		text_printf(t, "\n    tapc -L '%s' lists its variables, if the kernel has it.\n", name);
	return found;
}

static bool complain(const struct manual *m, bool functions, const char *name)
{
	struct arena *a = arena_open();
	name_list names = { 0 };
	const char *nearest;

	vec_each(e, &m->entries)
		if ((e->kind == MANUAL_FUNCTION) == functions)
			*vec_add(a, &names) = e->name;
	if (functions)
		manual_word_names(m, a, &names);
	nearest = nearest_name(name, names.items, names.n);
	if (nearest)
		error_print("no %s '%s'; did you mean '%s'?", functions ? "function" : "probe", name, nearest);
	else
		error_print("no %s '%s'; --dump-%s lists them all", functions ? "function" : "probe", name,
			    functions ? "functions" : "probe-aliases");
	arena_close(a);
	return false;
}

bool manual_function_text(const struct manual *m, const char *name, struct text *out)
{
	return add_wanted(out, m, true, name, true) || manual_word_text(m, name, out);
}

bool manual_probe_text(const struct manual *m, const char *name, struct text *out)
{
	const char *words = words_of(m->arena, name);

	return add_wanted(out, m, false, words, true) || add_fitting(out, m, words);
}

bool manual_help_function(const struct manual *m, const char *name)
{
	struct text t;

	text_init(&t, m->arena);
	if (!add_wanted(&t, m, true, name, true) && !add_wanted(&t, m, true, name, false) &&
	    !manual_word_text(m, name, &t))
		return complain(m, true, name);
	fputs(t.s, stdout);
	return true;
}

bool manual_help_probe(const struct manual *m, const char *name)
{
	const char *words = words_of(m->arena, name);
	struct text t;
	size_t found;

	text_init(&t, m->arena);
	found = add_wanted(&t, m, false, words, true);
	if (found)
		text_char(&t, '\n');
	found += add_wanted(&t, m, false, words, false);
	if (!found)
		found = add_fitting(&t, m, words);
	if (!found)
		return complain(m, false, name);
	fputs(t.s, stdout);
	return true;
}
