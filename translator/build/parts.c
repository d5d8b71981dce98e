/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sources of the runtime a script needs.
 *
 * This must be known before anything is compiled, so it is read from the text. A part is a .c file, or an inline
 * function or macro of a header; it mentions names and defines one or more. From the names that the script
 * mentions, all parts are marked that define one of these, and so on. Only names that begin with tap_ count, except
 * tags of structs: these are all that the runtime's files share; and of those that a script mentions all macros, for
 * embedded C. Names that a file or a header declares weak are not followed: they are NULL without their file. */
#include "parts.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/util.h"

struct part {
	const struct template_source *file;	/* of a .c file; NULL: a part of a header */
	name_list names, weak;
	bool is_marked;
	size_t unit;				/* which of units it is in; UNITS: none */
};

/* Sources that are compiled as one, so that the kernel's headers are read once for all of them: those that NAME
 * includes are ROOT, all that it needs, and what these need in turn, without what an earlier one includes. */
static const struct unit {
	const char *name, *root;
} units[] = {
	{ PARTS_BASE, "kernel/main.c" },		/* what every module has */
	{ "functions.c", "kernel/probes/kernel.c" },	/* most scripts probe functions of the kernel */
};
enum { UNITS = ARRAY_SIZE(units) };

struct index {
	struct arena *arena;
	struct map definitions;			/* name: struct definition */
	struct map weak;			/* names of functions that a header declares weak */
	VEC(struct part *) parts, files;	/* all, and those of .c files */
	struct part script;
};

struct definition {
	struct part *part;
	struct definition *next;
};

/* --- tokens -------------------------------------------------------------------------------- */

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_DIRECTIVE, TOKEN_OTHER };

struct token {
	enum token_kind kind;
	const char *s;
	size_t n;
};

/* The end of a string or character constant that begins at S. */
static const char *constant_end(const char *s)
{
	char quote = *s++;

	while (*s && *s != quote && *s != '\n')
		s += *s == '\\' && s[1] ? 2 : 1;
	return *s ? s + 1 : s;
}

/* The end of a line, of which a backslash continues the next one. */
static const char *line_end(const char *s)
{
	while (*s && *s != '\n')
		s += *s == '\\' && s[1] ? 2 : 1;
	return s;
}

static const char *skip_blank(const char *s)
{
	for (;;) {
		const char *end = str_starts(s, "/*") ? strstr(s + 2, "*/") : NULL;

		if (end)
			s = end + 2;
		else if (str_starts(s, "//"))
			s = line_end(s);
		else if (isspace((unsigned char)*s))
			s++;
		else
			return s;
	}
}

static struct token token_next(const char **at)
{
	struct token t = { TOKEN_OTHER, skip_blank(*at), 1 };

	if (!*t.s) {
		t.kind = TOKEN_END;
	} else if (*t.s == '#') {
		t.kind = TOKEN_DIRECTIVE;
		t.n = (size_t)(line_end(t.s) - t.s);
	} else if (*t.s == '"' || *t.s == '\'') {
		t.n = (size_t)(constant_end(t.s) - t.s);
	} else if (is_identifier_char(*t.s)) {
		t.kind = TOKEN_NAME;
		for (t.n = 0; is_identifier_char(t.s[t.n]);)
			t.n++;
	}
	*at = t.s + t.n;
	return t;
}

static bool token_is(struct token t, const char *text)
{
	return t.n == strlen(text) && memcmp(t.s, text, t.n) == 0;
}

/* Do files of the runtime share names like this? */
static bool is_shared(struct token t)
{
	return t.kind == TOKEN_NAME && t.n > 4 && (memcmp(t.s, "tap_", 4) == 0 || memcmp(t.s, "TAP_", 4) == 0);
}

/* Is the next name that of a type, which a function may have, too? */
static bool precedes_tag(struct token t)
{
	return token_is(t, "struct") || token_is(t, "union") || token_is(t, "enum");
}

/* --- the index ----------------------------------------------------------------------------- */

static struct part *part_new(struct index *x, const struct template_source *file)
{
	struct part *p = arena_alloc(x->arena, sizeof(*p));

	*p = (struct part){ .file = file, .unit = UNITS };
	*vec_add(x->arena, &x->parts) = p;
	if (file)
		*vec_add(x->arena, &x->files) = p;
	return p;
}

static void define(struct index *x, struct token name, struct part *p)
{
	const char *text = arena_strndup(x->arena, name.s, name.n);
	struct definition *d = arena_alloc(x->arena, sizeof(*d));

	*d = (struct definition){ p, map_get(&x->definitions, text) };
	map_set(&x->definitions, text, d);
}

static void mention(struct index *x, struct part *p, struct token name)
{
	if (p && (is_shared(name) || (p == &x->script && name.kind == TOKEN_NAME)))
		*vec_add(x->arena, &p->names) = arena_strndup(x->arena, name.s, name.n);
}

static void mention_all(struct index *x, struct part *p, const char *text)
{
	struct token t;

	for (bool is_tag = false; (t = token_next(&text)).kind != TOKEN_END; is_tag = precedes_tag(t))
		if (!is_tag)
			mention(x, p, t);
}

/* "#define NAME ...": its text belongs to the .c file, or is a part of the header. */
static void read_macro(struct index *x, const char *text, struct part *file)
{
	struct token name = token_next(&text);
	struct part *p = file;

	if (!file && name.kind == TOKEN_NAME) {
		p = part_new(x, NULL);
		define(x, name, p);
	}
	mention_all(x, p, text);
}

/* "#pragma weak NAME" */
static void read_pragma(struct index *x, const char *text, struct part *file)
{
	struct token name;

	if (!file || !token_is(token_next(&text), "weak"))
		return;
	name = token_next(&text);
	*vec_add(x->arena, &file->weak) = arena_strndup(x->arena, name.s, name.n);
}

static void read_directive(struct index *x, struct token line, struct part *file)
{
	const char *text = arena_strndup(x->arena, line.s + 1, line.n - 1);
	struct token word = token_next(&text);

	if (token_is(word, "define"))
		read_macro(x, text, file);
	else if (token_is(word, "pragma"))
		read_pragma(x, text, file);
}

/* What is known of a declaration outside of functions, while its tokens are read. */
struct declaration {
	struct token name;		/* the last one before the first '(', '=' or '[' */
	bool has_name, is_local, is_weak, has_parameters, has_value, has_body;
	name_list names;		/* all that are mentioned */
};

static void read_name(struct declaration *d, struct token t)
{
	static const char *const local[] = { "static", "extern", "typedef" };

	for (size_t i = 0; i < ARRAY_SIZE(local); i++)
		d->is_local |= token_is(t, local[i]);
	d->is_weak |= token_is(t, "__weak");
	if (!d->has_parameters && !d->has_value) {
		d->name = t;
		d->has_name = true;
	}
}

static void declaration_end(struct index *x, struct declaration *d, struct part *file)
{
	bool is_function = d->has_parameters && !d->has_value;
	struct part *p = file;

	if (d->has_name && d->is_weak)
		map_set(&x->weak, arena_strndup(x->arena, d->name.s, d->name.n), x);
	if (d->has_name && is_shared(d->name) && (!is_function || d->has_body)) {
		if (!file && is_function) {
			p = part_new(x, NULL);
			p->names.items = d->names.items;
			p->names.n = d->names.n;
		}
		if (p && (!file || !d->is_local))
			define(x, d->name, p);
	}
	*d = (struct declaration){ 0 };
}

/* A token outside of braces. */
static void read_outside(struct index *x, struct declaration *d, struct token t, struct part *file)
{
	if (*t.s == ';')
		declaration_end(x, d, file);
	else if (*t.s == '(')
		d->has_parameters |= !d->has_value;
	else if (*t.s == '=' || *t.s == '[')
		d->has_value |= !d->has_parameters;
	else if (t.kind == TOKEN_NAME)
		read_name(d, t);
}

static void read_opening(struct declaration *d)
{
	d->has_body = true;
	d->has_name &= d->has_parameters || d->has_value;	/* not the name of a struct */
}

static void read_text(struct index *x, const char *text, struct part *file)
{
	struct declaration d = { 0 };
	bool is_tag = false;
	struct token t;
	int depth = 0;

	for (; (t = token_next(&text)).kind != TOKEN_END; is_tag = precedes_tag(t)) {
		if (t.kind == TOKEN_DIRECTIVE) {
			read_directive(x, t, file);
			continue;
		}
		if (!is_tag)
			mention(x, file, t);
		if (!file && !is_tag && is_shared(t))
			*vec_add(x->arena, &d.names) = arena_strndup(x->arena, t.s, t.n);
		if (*t.s == '{' && depth++ == 0)
			read_opening(&d);
		else if (*t.s == '}' && depth > 0 && --depth == 0 && d.has_parameters && !d.has_value)
			declaration_end(x, &d, file);
		else if (!depth)
			read_outside(x, &d, t, file);
	}
}

static void forget_name(struct part *p, const char *name)
{
	size_t kept = 0;

	vec_each(n, &p->names)
		if (!str_equal(name, *n))
			p->names.items[kept++] = *n;
	p->names.n = kept;
}

/* Of the module tap_gate, which gate.c builds. */
static bool is_of_gate(const struct template_source *s)
{
	return str_starts(s->name, "kernel/gate/");
}

static bool is_unit(const struct template_source *s)
{
	for (size_t i = 0; i < UNITS; i++)
		if (str_equal(s->name, units[i].name))
			return true;
	return false;
}

static void read_source(struct index *x, const struct template_source *s)
{
	bool is_part = str_ends(s->name, ".c") && !is_of_gate(s) && !is_unit(s);
	struct part *file = is_part ? part_new(x, s) : NULL;

	if (!s->text || is_of_gate(s))
		return;
	read_text(x, s->text, file);
	if (file)
		vec_each(name, &file->weak)
			forget_name(file, *name);
}

/* --- marking ------------------------------------------------------------------------------- */

static void mark(struct index *x, struct part *p);

/* Of NAME, which P mentions. A weak one is followed for a script, which would call NULL. */
static struct definition *definitions(struct index *x, const struct part *p, const char *name)
{
	return p != &x->script && map_get(&x->weak, name) ? NULL : map_get(&x->definitions, name);
}

static void mark_names(struct index *x, const struct part *p)
{
	vec_each(name, &p->names)
		for (struct definition *d = definitions(x, p, *name); d; d = d->next)
			mark(x, d->part);
}

static bool is_in(const struct part *p, const char *folder)
{
	return p->file && str_starts(p->file->name, folder);
}

/* Files of a unit, and those that refer to each other by names that macros put together. */
static bool belong_together(const struct part *p, const struct part *other)
{
	static const char syscalls[] = "kernel/syscalls/";

	return (p->file && p->unit < UNITS && p->unit == other->unit) || (is_in(p, syscalls) && is_in(other, syscalls));
}

static void mark(struct index *x, struct part *p)
{
	if (p->is_marked)
		return;
	p->is_marked = true;
	mark_names(x, p);
	vec_each(other, &x->files)
		if (belong_together(p, *other))
			mark(x, *other);
}

const struct template_source *parts_source(const struct template_sources *sources, const char *name)
{
	vec_each(s, sources)
		if (str_equal(s->name, name))
			return s;
	return NULL;
}

static void find_unit(struct index *x, size_t unit)
{
	vec_each(p, &x->files)
		if (str_equal((*p)->file->name, units[unit].root))
			mark(x, *p);
	vec_each(p, &x->files)
		if ((*p)->is_marked && (*p)->unit == UNITS)
			(*p)->unit = unit;
}

/* Reads the sources, and marks what every module has. */
static void index_open(struct index *x, struct arena *a, const struct template_sources *sources)
{
	*x = (struct index){ .arena = a };
	map_init(&x->definitions, a);
	map_init(&x->weak, a);
	vec_each(s, sources)
		read_source(x, s);
	for (size_t i = 0; i < UNITS; i++)
		find_unit(x, i);
	vec_each(part, &x->parts)
		(*part)->is_marked = false;
	vec_each(p, &x->files)
		if ((*p)->unit == 0)
			mark(x, *p);
}

void parts_add_units(struct arena *a, struct template_sources *sources)
{
	struct text texts[UNITS];
	struct index x;

	index_open(&x, a, sources);
	for (size_t i = 0; i < UNITS; i++)
		text_init(&texts[i], a);
	vec_each(p, &x.files)
		if ((*p)->unit < UNITS)
			text_printf(&texts[(*p)->unit], "#include \"%s\"\n", (*p)->file->name);
	for (size_t i = 0; i < UNITS; i++)
		if (texts[i].n)
			*vec_add(a, sources) = (struct template_source){ units[i].name, NULL, texts[i].s, texts[i].n };
}

static void need(struct map *needed, const struct part *p)
{
	map_set(needed, p->unit < UNITS ? units[p->unit].name : p->file->name, (void *)p->file);
}

void parts_of_script(struct map *needed, const struct template_sources *sources, const char *script)
{
	struct index x;

	index_open(&x, needed->arena, sources);
	mention_all(&x, &x.script, script);
	mark_names(&x, &x.script);
	map_set(needed, PARTS_BASE, (void *)sources);
	vec_each(p, &x.files)
		if ((*p)->is_marked)
			need(needed, *p);
}

void parts_all(struct map *needed, const struct template_sources *sources)
{
	struct index x;

	index_open(&x, needed->arena, sources);
	map_set(needed, PARTS_BASE, (void *)sources);
	vec_each(p, &x.files)
		if (!str_ends((*p)->file->name, "_compile.c"))
			need(needed, *p);
}
