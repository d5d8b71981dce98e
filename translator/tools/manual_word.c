/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual of what is called like a function and is none: the words that are built into the language, and the
 * library's macros with the comment above each. */
#include "manual.h"

#include <stdio.h>
#include <string.h>

#include "syntax/parse.h"
#include "syntax/preproc.h"
#include "source/source.h"
#include "base/text.h"

static const struct word { const char *name, *arguments, *summary; } words[] = {
	{ "print", "(value, ...)", "print values, one after the other" },
	{ "println", "(value, ...)", "print values and a line break" },
	{ "printf", "(\"format\", value, ...)", "print by a format: %d, %x, %s, %p, %c, %b, %m, %M and their widths" },
	{ "printd", "(\"between\", value, ...)", "print values with a text between them" },
	{ "printdln", "(\"between\", value, ...)", "print values with a text between them, and a line break" },
	{ "print_char", "(number)", "print the character of that number" },
	{ "sprint", ":string (value, ...)", "what print would print, as a string" },
	{ "sprintln", ":string (value, ...)", "what println would print, as a string" },
	{ "sprintf", ":string (\"format\", value, ...)", "what printf would print, as a string" },
	{ "sprintd", ":string (\"between\", value, ...)", "what printd would print, as a string" },
	{ "sprintdln", ":string (\"between\", value, ...)", "what printdln would print, as a string" },
	{ "@count", ":long (aggregate)", "how many values it has been given" },
	{ "@sum", ":long (aggregate)", "their sum" },
	{ "@min", ":long (aggregate)", "the least of them" },
	{ "@max", ":long (aggregate)", "the greatest of them" },
	{ "@avg", ":long (aggregate)", "their average, rounded" },
	{ "@variance", ":long (aggregate[, bits])", "their variance" },
	{ "@percentile", ":long (aggregate, n)", "what n of 100 values do not exceed, at most 3 % off" },
	{ "@hist_log", "(aggregate)", "a histogram by powers of two, to be printed" },
	{ "@hist_linear", "(aggregate, low, high, width)", "a histogram of buckets of one width, to be printed" },
	{ "@cast", "(address, \"type\"[, \"module\"])", "a pointer to that type, to go on with ->" },
	{ "@var", "(\"name@file\"[, \"module\"])", "a global variable of the kernel's, a module's or a program's; "
	  "one that each CPU has is this CPU's" },
	{ "@entry", "(expression)", "in a return probe: its value when the function was entered" },
	{ "@defined", ":long ($variable)", "can it be had here? 1 or 0, known when the script is translated" },
	{ "@probewrite", ":long (variable)", "does the script's probe write this variable of an alias?" },
	{ "@perf", ":long (\"counter\")", "the value of a counter that a probe perf...counter(\"name\") has" },
	{ "@const", ":long (\"C expression\")", "a constant of the kernel's headers" },
	{ "@kderef", ":long (size, address)", "that many bytes of the kernel's memory as a number" },
	{ "@uderef", ":long (size, address)", "that many bytes of the program's memory as a number" },
	{ "@kregister", ":long (number)", "a register of the kernel's, by DWARF's number" },
	{ "@uregister", ":long (number)", "a register of the program's, by DWARF's number" },
	{ "@enum", ":long (\"name\"[, \"module\"])", "the value of an enumerator" },
	{ "@enumname", ":string (\"enum type\", value[, \"module\"])", "the enumerator that has the value" },
	{ "@sizeof", ":long (\"type\"[, \"module\"])", "the bytes of a type" },
	{ "@offsetof", ":long (\"type\", member[, \"module\"])", "where in the type the member lies" },
	{ "@container_of", "(address, \"type\", member[, \"module\"])", "the structure whose member lies there" },
};

static bool print_builtin(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct word *w = &words[i];

		if (!str_equal(name, w->name) && !(*w->name == '@' && str_equal(name, w->name + 1)))
			continue;
		printf("%s%s%s\n    %s\n", w->name, *w->arguments == '(' ? " " : "", w->arguments, w->summary);
		return true;
	}
	return false;
}

/* Where the line before AT begins. */
static const char *line_above(const char *text, const char *at)
{
	at--;
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

/* The comment above the definition, or above those right above it. */
static void print_comment(struct span at)
{
	const char *text = at.source->text, *start = text + at.start, *line;

	while (start > text && start[-1] != '\n')
		start--;
	while (start > text && *(line = line_above(text, start)) != '\n' && *start != '#')
		start = line;
	while (start > text && *(line = line_above(text, start)) == '#')
		start = line;
	for (; *start == '#'; start += strcspn(start, "\n") + 1)
		printf("   %.*s\n", (int)strcspn(start + 1, "\n"), start + 1);
}

bool manual_help_word(const struct manual *m, const char *name)
{
	const struct macro *macro;
	const char *separator = " (";

	if (print_builtin(name))
		return true;
	name += *name == '@';
	macro = macros_find(m->macros, name);
	if (!macro)
		return false;
	printf("macro @%s", name);
	for (size_t i = 0; i < macro->parameters.n; i++, separator = ", ")
		printf("%s%s", separator, macro->parameters.items[i]);
	puts(macro->parameters.n ? ")" : "");
	print_comment(macro->span);
	return true;
}

void manual_word_names(const struct manual *m, struct arena *a, name_list *names)
{
	name_list macros = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		*vec_add(a, names) = words[i].name;
	macros_names(m->macros, &macros);
	vec_each(macro, &macros)
		if (**macro != '_')
			*vec_add(a, names) = arena_printf(a, "@%s", *macro);
}
