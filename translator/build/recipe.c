/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that kbuild ran to make the template.
 *
 * kbuild leaves a file ".TARGET.cmd" next to each target. Its first line is the shell command that
 * made the target, in make's quoting: "cmd_PATH := gcc -Wall ... -c -o PATH.o PATH.c ; objtool ...
 * PATH.o" ("savedcmd_" from 6.2 on). The line is split into commands and words; options are kept,
 * file names are not. Up to 5.18 objtool is not in that file, but in the output of make V=1. A
 * command other than compiler, linker and objtool belongs to a step that this file does not support. */
#include "recipe.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"

struct commands {
	struct step *items;
	size_t n, room;
};

static void add_word(struct arena *a, struct step *s, const char *word)
{
	*vec_add(a, s) = word;
}

/* Undo make's quoting, $$ and $(pound), then the shell's. One word from *P; NULL at ; && or the end. */
static const char *next_word(struct arena *a, const char **p)
{
	const char *s = *p + strspn(*p, " \t");
	char quote = 0;
	struct text word;

	*p = s;
	if (!*s || *s == ';' || str_starts(s, "&&"))
		return NULL;
	text_init(&word, a);
	for (; *s && (quote || !strchr(" \t;", *s)); s++) {
		if (!quote && (*s == '\'' || *s == '"')) {
			quote = *s;
		} else if (quote && *s == quote) {
			quote = 0;
		} else if (*s == '\\' && quote != '\'' && s[1]) {
			text_char(&word, *++s);
		} else if (str_starts(s, "$$")) {
			text_char(&word, *++s);
		} else if (str_starts(s, "$(pound)")) {
			text_char(&word, '#');
			s += 7;
		} else {
			text_char(&word, *s);
		}
	}
	*p = s;
	return word.s;
}

static struct commands split(struct arena *a, const char *line)
{
	struct commands all = { 0 };
	struct step now = { 0 };

	for (;;) {
		const char *word = next_word(a, &line);

		if (word) {
			add_word(a, &now, word);
			continue;
		}
		if (now.n)
			*vec_add(a, &all) = now;
		now = (struct step){ 0 };
		if (!*line)
			return all;
		line += *line == ';' ? 1 : 2;
	}
}

/* The command for TARGET in the directory BUILD; empty if it was not recorded. */
static struct commands recorded(struct arena *a, const char *build, const char *target)
{
	char *text = file_read(a, arena_printf(a, "%s/.%s.cmd", build, target), NULL);
	char *line = text;

	while (line && !str_starts(line, "cmd_") && !str_starts(line, "savedcmd_")) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	line = line ? strstr(line, ":=") : NULL;
	if (!line)
		return (struct commands){ 0 };
	line[strcspn(line, "\n")] = '\0';
	return split(a, line + 2);
}

static bool is_checker(const struct step *s)
{
	return str_starts(path_base(s->items[0]), "objtool");
}

static bool is_nothing(const struct step *s)
{
	return s->n == 1 && (str_equal(s->items[0], "true") || str_equal(s->items[0], ":"));
}

/* objtool's only file is its last word. */
static void take_checker(struct recipe *r, struct arena *a, const struct step *s, bool linked)
{
	for (size_t i = 0; i + 1 < s->n; i++)
		add_word(a, &r->check, s->items[i]);
	r->check_linked = linked;
}

/* The first command belongs to TOOL; of the following ones, only objtool's is taken. */
static bool take_commands(struct recipe *r, struct arena *a, const struct commands *all, bool linked,
			  struct step *tool)
{
	if (!all->n)
		return false;
	*tool = all->items[0];
	for (size_t i = 1; i < all->n; i++) {
		if (is_checker(&all->items[i]))
			take_checker(r, a, &all->items[i], linked);
		else if (!is_nothing(&all->items[i]))
			return false;
	}
	return true;
}

/* Is the word at *I an option of these? The two lists end with NULL; *I is moved to an option's second word. */
static bool is_one_of(const struct step *s, size_t *i, const char *const *with_word, const char *const *prefixes)
{
	for (; *with_word; with_word++)
		if (str_equal(s->items[*i], *with_word)) {
			++*i;
			return true;
		}
	for (; *prefixes; prefixes++)
		if (str_starts(s->items[*i], *prefixes))
			return true;
	return false;
}

/* The output, and what make needs: files of dependencies. */
static bool is_output(const struct step *s, size_t *i)
{
	static const char *const with_word[] = { "-o", "-MF", "-MT", NULL };
	static const char *const prefixes[] = { "-Wp,-M", "-MD", "-MMD", NULL };

	return is_one_of(s, i, with_word, prefixes);
}

/* Preprocessor options that name the kernel's headers: a script includes none. */
static bool is_preprocessing(const struct step *s, size_t *i)
{
	static const char *const with_word[] = {
		"-I", "-isystem", "-include", "-iquote", "-idirafter", "-imacros", NULL,
	};
	static const char *const prefixes[] = { "-I", "-DKBUILD_", "-D__KBUILD_", "-fmacro-prefix-map=", NULL };

	return is_one_of(s, i, with_word, prefixes);
}

/* -I of the runtime's headers in SRC, which are elsewhere in the template. */
static bool is_of_runtime(const char *word, const char *src)
{
	size_t n = strlen(src);

	if (!str_starts(word, "-I"))
		return false;
	word += str_starts(word, "-I./") ? 4 : 2;	/* kbuild adds ./ */
	return strncmp(word, src, n) == 0 &&
	       (!word[n] || str_equal(word + n, "/abi") || str_equal(word + n, "/kernel"));
}

static void take_compile(struct recipe *r, struct arena *a, const struct step *s, const char *src)
{
	for (size_t i = 0; i + 1 < s->n; i++) {
		size_t first = i;

		if (is_output(s, &i))
			continue;
		if (!is_preprocessing(s, &i))
			add_word(a, &r->compile, s->items[i]);
		for (size_t k = first; k <= i; k++)
			if (!is_of_runtime(s->items[k], src))
				add_word(a, &r->compile_embedded, s->items[k]);
	}
}

static void take_link(struct step *to, struct arena *a, const struct step *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *word = s->items[i];

		if (str_equal(word, "-o"))
			i++;
		else if (word[0] != '@' && !str_ends(word, ".o"))
			add_word(a, to, word);
	}
}

/* Find the line of LOG in which objtool was run on OBJECT. */
static void find_echoed(struct recipe *r, struct arena *a, const char *log, const char *object)
{
	char *rest = arena_strdup(a, log);

	for (char *line; (line = strsep(&rest, "\n"));) {
		size_t n = strlen(line);
		struct commands all;

		if (n > 2000 || !str_ends(line, object) || !strstr(line, "objtool"))
			continue;
		all = split(a, line);
		if (all.n == 1 && is_checker(&all.items[0]))
			take_checker(r, a, &all.items[0], false);
	}
}

bool recipe_record(struct recipe *r, struct arena *a, const char *build, const char *name, const char *log)
{
	struct commands compile = recorded(a, build, "script.o");
	struct commands link = recorded(a, build, arena_printf(a, "%s.o", name));
	struct commands final = recorded(a, build, arena_printf(a, "%s.ko", name));
	char *rest = file_read(a, arena_printf(a, "%s/surroundings", build), NULL);
	const char *dir = rest ? strsep(&rest, "\n") : NULL;
	const char *src = rest ? strsep(&rest, "\n") : NULL;
	char *flags = rest ? strsep(&rest, "\n") : NULL;
	struct step compiler, linker, finisher;

	*r = (struct recipe){ 0 };
	if (!flags || !take_commands(r, a, &compile, false, &compiler) ||
	    !take_commands(r, a, &link, true, &linker) ||
	    !take_commands(r, a, &final, true, &finisher))
		return false;
	if (!r->check.n)
		find_echoed(r, a, log, "/script.o");
	/* From 6.13 on kbuild runs in the module's directory, which will be renamed. */
	r->dir = str_starts(dir, build) ? "" : dir;
	for (const char *word; (word = strsep(&rest, "\n")) && *word;)
		add_word(a, &r->environment, word);
	take_compile(r, a, &compiler, src);
	for (const char *word; (word = strsep(&flags, " "));)
		if (*word)
			add_word(a, &r->compile_embedded, word);
	take_link(&r->link, a, &linker);
	take_link(&r->final, a, &finisher);
	return true;
}

/* --- as text: one word per line, after the step's name -------------------------------------- */

static void write_step(struct text *t, const char *name, const struct step *s)
{
	for (size_t i = 0; i < s->n; i++)
		text_printf(t, "%s %s\n", name, s->items[i]);
}

char *recipe_write(const struct recipe *r, struct arena *a)
{
	struct text t;

	text_init(&t, a);
	text_printf(&t, "dir %s\n", r->dir);
	write_step(&t, "environment", &r->environment);
	write_step(&t, "compile", &r->compile);
	write_step(&t, "compile-embedded", &r->compile_embedded);
	write_step(&t, r->check_linked ? "check-linked" : "check", &r->check);
	write_step(&t, "link", &r->link);
	write_step(&t, "final", &r->final);
	return t.s;
}

bool recipe_read(struct recipe *r, struct arena *a, const char *text)
{
	char *rest = arena_strdup(a, text);

	*r = (struct recipe){ .dir = "" };
	for (char *line; (line = strsep(&rest, "\n")) && *line;) {
		char *word = strchr(line, ' ');

		if (!word)
			return false;
		*word++ = '\0';
		if (str_equal(line, "dir"))
			r->dir = word;
		else if (str_equal(line, "environment"))
			add_word(a, &r->environment, word);
		else if (str_equal(line, "compile"))
			add_word(a, &r->compile, word);
		else if (str_equal(line, "compile-embedded"))
			add_word(a, &r->compile_embedded, word);
		else if (str_equal(line, "check") || str_equal(line, "check-linked"))
			add_word(a, &r->check, word);
		else if (str_equal(line, "link"))
			add_word(a, &r->link, word);
		else if (str_equal(line, "final"))
			add_word(a, &r->final, word);
		else
			return false;
		if (str_equal(line, "check-linked"))
			r->check_linked = true;
	}
	return r->compile.n && r->compile_embedded.n && r->link.n && r->final.n;
}
