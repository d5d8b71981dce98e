/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that a script can refer to. A quick scan indexes the names that tapset files define at
 * top level; a file is parsed only when one of its names is needed. */
#include "library.h"

#include <ctype.h>
#include <string.h>

#include "source/diag.h"
#include "point_name.h"
#include "tapset_files.h"
#include "base/util.h"
#include "syntax/preproc.h"
#include "syntax/print_op.h"
#include "syntax/parse.h"
#include "base/text.h"

/* ---- the quick scan ---- */

struct scan {
	const char *p, *end;
	const char *word;
	size_t word_size;	/* 0: punctuation in *word */
};

static const char *skip_to(const char *p, const char *end, const char *stop)
{
	const char *found = memmem(p, (size_t)(end - p), stop, strlen(stop));

	return found ? found + strlen(stop) : end;
}

static const char *skip_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p + 1 : end;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '@';
}

/* The next word or punctuation mark, past white space, comments, strings and embedded C. */
static bool scan_next(struct scan *s)
{
	while (s->p < s->end) {
		const char *p = s->p;

		if (isspace((unsigned char)*p))
			s->p++;
		else if (*p == '#' || (p[0] == '/' && p[1] == '/'))
			s->p = skip_to(p, s->end, "\n");
		else if (p[0] == '/' && p[1] == '*')
			s->p = skip_to(p + 2, s->end, "*/");
		else if (p[0] == '%' && p[1] == '{')
			s->p = skip_to(p + 2, s->end, "%}");
		else if (*p == '"')
			s->p = skip_string(p, s->end);
		else
			break;
	}
	if (s->p >= s->end)
		return false;
	s->word = s->p;
	while (s->p < s->end && is_name_char(*s->p))
		s->p++;
	s->word_size = (size_t)(s->p - s->word);
	if (!s->word_size)
		s->p++;
	return true;
}

static bool scan_is(const struct scan *s, const char *text)
{
	size_t n = strlen(text);

	return s->word_size ? s->word_size == n && !memcmp(s->word, text, n) :
			      n == 1 && *s->word == *text;
}

static void index_name(struct library *lib, struct tapset_file *f, const char *kind, const char *name,
		       size_t n)
{
	char *key = arena_printf(lib->arena, "%s %.*s", kind, (int)n, name);

	if (!map_get(&lib->index, key))
		map_set(&lib->index, key, f);
}

/* probe a.b.c, d = ...: reads the names up to '=' or '+'. A '(' or '{' before that means that it is not an
 * alias; it is not consumed. */
static void scan_alias(struct library *lib, struct tapset_file *f, struct scan *s)
{
	struct arena *a = lib->arena;
	struct text name;
	VEC(const char *) names = { 0 };

	text_init(&name, a);
	for (struct scan before = *s; scan_next(s); before = *s) {
		bool ends_name = scan_is(s, ",") || scan_is(s, "=") || scan_is(s, "+");

		if (s->word_size || scan_is(s, ".") || scan_is(s, "*")) {
			text_add_n(&name, s->word, s->word_size ? s->word_size : 1);
		} else if (!ends_name) {
			*s = before;
			return;
		}
		if (!ends_name)
			continue;
		*vec_add(a, &names) = arena_strdup(a, name.s);
		text_init(&name, a);
		if (!scan_is(s, ","))
			break;
	}
	vec_each(n, &names)
		*vec_add(a, &lib->alias_names) = (struct alias_name){ *n, f };
}

/* global a[100], b% = 5: indexes each name; stops before the first word that is not part of the list. */
static void scan_globals(struct library *lib, struct tapset_file *f, struct scan *s)
{
	bool want_name = true;

	for (;;) {
		struct scan before = *s;

		if (!scan_next(s))
			return;
		if (want_name && s->word_size) {
			index_name(lib, f, "global", s->word, s->word_size);
			want_name = false;
		} else if (scan_is(s, ",")) {
			want_name = true;
		} else if (s->word_size ? !isdigit((unsigned char)*s->word) : !strchr("[]%=-", *s->word)) {
			*s = before;
			return;
		}
	}
}

static void scan_text(struct library *lib, struct tapset_file *f, const char *text, size_t size)
{
	struct scan s = { .p = text, .end = text + size };
	bool after_dot = false;		/* kernel.function("f"): not a declaration */
	int depth = 0;

	for (; scan_next(&s); after_dot = scan_is(&s, ".")) {
		if (!s.word_size && strchr("{([", *s.word))
			depth++;
		else if (!s.word_size && strchr("})]", *s.word))
			depth--;
		if (depth || after_dot)
			continue;
		if (scan_is(&s, "probe"))
			scan_alias(lib, f, &s);
		else if (scan_is(&s, "global"))
			scan_globals(lib, f, &s);
		else if (scan_is(&s, "function") && scan_next(&s))
			index_name(lib, f, "function", s.word, s.word_size);
	}
}

/* ---- files ---- */

static void index_file(struct library *lib, const char *path, bool system)
{
	struct tapset_file *f;
	size_t size;
	char *text = file_read(lib->arena, path, &size);

	if (!text)
		return;
	if (str_ends(path, ".stpm")) {
		struct source *s = source_add(lib->diag, path, text, size);

		s->is_library = true;
		macros_add_library(lib->macros, s);
		return;
	}
	f = arena_new(lib->arena, struct tapset_file);
	f->path = path;
	f->system = system;
	*vec_add(lib->arena, &lib->files) = f;
	scan_text(lib, f, text, size);
}

bool library_open(struct library *lib, struct diag *d, const struct target_host *host, struct macros *macros)
{
	name_list paths = { 0 };
	size_t of_user = 0;

	*lib = (struct library){ .arena = d->arena, .diag = d, .macros = macros };
	map_init(&lib->functions, lib->arena);
	map_init(&lib->globals, lib->arena);
	map_init(&lib->private_globals, lib->arena);
	map_init(&lib->private_functions, lib->arena);
	map_init(&lib->index, lib->arena);
	if (!tapset_files(macros_setup(macros)->options, host, &paths, &of_user))
		return false;
	for (size_t i = 0; i < paths.n; i++)
		index_file(lib, paths.items[i], i >= of_user);
	return true;
}

static void complete_paths(struct arena *a, const char *folder, const point_list *points)
{
	vec_each(p, points)
		vec_each(c, &(*p)->components)
			if (str_equal(c->name, "process") && c->is_string && c->text[0] != '/')
				c->text = arena_printf(a, "%s/%s", folder, c->text);
}

/* process("foo") in PATH/usr/bin/foo.stp is /usr/bin/foo. */
static void set_programs(struct arena *a, const struct tapset_file *f)
{
	const char *folder = tapset_program_folder(a, f->path);

	if (!folder || !f->script)
		return;
	vec_each(p, &f->script->aliases)
		complete_paths(a, folder, &(*p)->points);
	vec_each(p, &f->script->probes)
		complete_paths(a, folder, &(*p)->points);
}

static bool read_tapset(struct library *lib, struct tapset_file *f)
{
	struct source *s;
	size_t size;
	char *text;

	if (f->read)
		return true;
	f->read = true;
	text = file_read(lib->arena, f->path, &size);
	if (!text)
		return false;
	s = source_add(lib->diag, f->path, text, size);
	s->is_library = true;
	s->is_system = f->system;
	f->script = parse_script(s, lib->macros);
	set_programs(lib->arena, f);
	return library_add(lib, f->script);
}

bool library_read_all(struct library *lib)
{
	bool good = true;

	vec_each(f, &lib->files)
		good = read_tapset(lib, *f) && good;
	return good;
}

/* ---- declarations ---- */

static const char *private_key(struct library *lib, const char *name, const struct source *from)
{
	return arena_printf(lib->arena, "%p %s", (const void *)source_root(from), name);
}

/* A global that V's name also refers to: one of the same kind, or one of the other kind in the same file. */
static struct variable *same_global(struct library *lib, const struct variable *v, const char *private)
{
	struct variable *old = map_get(&lib->globals, v->name), *own = map_get(&lib->private_globals, private);

	if (own || !old)
		return own;
	return !v->is_private || source_root(old->span.source) == source_root(v->span.source) ? old : NULL;
}

static void add_global(struct library *lib, struct variable *v)
{
	const char *private = private_key(lib, v->name, v->span.source);
	struct variable *old = same_global(lib, v, private);

	v->file = v->span.source;
	if (!old) {
		map_set(v->is_private ? &lib->private_globals : &lib->globals, v->is_private ? private : v->name, v);
		return;
	}
	if (old->is_private == v->is_private)
		diag_error(v->span, "global '%s' is defined twice", v->name);
	else
		diag_error(v->span, "'%s' is both a global and a private global of this file: rename one of them",
			   v->name);
	diag_note(old->span, "first defined here");
}

/* Without a declared priority, a function of a script has 0 and one of a tapset has 1. */
static int64_t priority_of(const struct function *f)
{
	return f->has_priority ? f->priority : source_root(f->span.source)->is_library;
}

/* Overloads are tried in order of priority. With equal priorities, those of scripts come before those of the
 * library; otherwise the order is that of the source. */
static bool comes_before(const struct function *a, const struct function *b)
{
	if (priority_of(a) != priority_of(b))
		return priority_of(a) < priority_of(b);
	return !source_root(a->span.source)->is_library && source_root(b->span.source)->is_library;
}

static void add_function(struct library *lib, struct function *f)
{
	struct arena *a = lib->arena;
	struct map *m = f->is_private ? &lib->private_functions : &lib->functions;
	const char *key = f->is_private ? private_key(lib, f->name, f->span.source) : f->name;
	function_list *list = map_get(m, key);
	size_t i;

	if (!list) {
		list = arena_new(a, function_list);
		map_set(m, key, list);
	}
	vec_add(a, list);
	for (i = list->n - 1; i > 0 && comes_before(f, list->items[i - 1]); i--)
		list->items[i] = list->items[i - 1];
	list->items[i] = f;
}

bool library_add(struct library *lib, struct script *s)
{
	unsigned errors = lib->diag->errors;

	*vec_add(lib->arena, &lib->scripts) = s;
	vec_each(v, &s->globals)
		add_global(lib, *v);
	vec_each(f, &s->functions)
		add_function(lib, *f);
	vec_each(p, &s->aliases)
		*vec_add(lib->arena, &lib->aliases) = *p;
	return lib->diag->errors == errors;
}

static void read_indexed(struct library *lib, const char *kind, const char *name)
{
	struct tapset_file *f = map_get(&lib->index,
					arena_printf(lib->arena, "%s %s", kind, name));

	if (f)
		read_tapset(lib, f);
}

function_list *library_functions(struct library *lib, const char *name, const struct source *from)
{
	function_list *list = map_get(&lib->private_functions, private_key(lib, name, from));

	if (list)
		return list;
	read_indexed(lib, "function", name);
	return map_get(&lib->functions, name);
}

struct variable *library_global(struct library *lib, const char *name, const struct source *from)
{
	struct variable *v = map_get(&lib->private_globals, private_key(lib, name, from));

	if (v)
		return v;
	v = map_get(&lib->globals, name);
	if (v)
		return v;
	read_indexed(lib, "global", name);
	return map_get(&lib->globals, name);
}

bool library_read_aliases(struct library *lib, const struct point *point)
{
	unsigned errors = lib->diag->errors;
	size_t used;

	for (size_t i = 0; i < lib->alias_names.n; i++) {
		struct alias_name alias = lib->alias_names.items[i];

		if (!alias.file->read && point_name_fits(lib->arena, point, alias.name, true,
							   &used))
			read_tapset(lib, alias.file);
	}
	return lib->diag->errors == errors;
}

void library_user_globals(struct library *lib, name_list *names)
{
	for (size_t i = 0; i < lib->globals.n; i++) {
		const struct variable *v = lib->globals.entries[i].value;

		if (!v->span.source->is_library)
			*vec_add(lib->arena, names) = lib->globals.entries[i].key;
	}
}

const char *library_suggest(struct library *lib, const char *name)
{
	static const char *const keywords[] = { "if", "while", "for", "foreach" };
	struct arena *a = lib->arena;
	name_list names = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		*vec_add(a, &names) = keywords[i];
	print_op_names(a, &names);
	for (size_t i = 0; i < lib->functions.n; i++)
		*vec_add(a, &names) = lib->functions.entries[i].key;
	for (size_t i = 0; i < lib->index.n; i++)
		if (str_starts(lib->index.entries[i].key, "function "))
			*vec_add(a, &names) = lib->index.entries[i].key + strlen("function ");
	return nearest_name(name, names.items, names.n);
}
